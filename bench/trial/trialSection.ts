import type { Entry } from '../../src/shared/registry.ts';
import type { Figure } from '../figure.ts';

/** A part of the trial bench that can run alone. */
export interface TrialSection extends Entry {
  measure(options: TrialOptions): Promise<Figure[]>;
}

export interface TrialOptions {
  /** Root folder of the repository. */
  readonly root: string;
  /** Shows that everything runs, and measures nothing. */
  readonly isQuick: boolean;
  /** Prints text that is more than figures. */
  readonly print: (text: string) => void;
  readonly say: (progress: string) => void;
}
