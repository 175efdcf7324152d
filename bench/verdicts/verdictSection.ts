import type { Figure } from '../figure.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** A part of the verdicts bench that can run alone. */
export interface VerdictSection extends Entry {
  /** Count of campaigns; the more, the surer the share. */
  readonly repetitions: number;
  measure(options: MeasureOptions): Figure[];
}

export interface Repeating {
  readonly repetitions: number;
  readonly say: (progress: string) => void;
}

export interface MeasureOptions extends Repeating {
  /** Root folder of the repository. */
  readonly root: string;
  /** Prints text that is more than figures. */
  readonly print: (text: string) => void;
}
