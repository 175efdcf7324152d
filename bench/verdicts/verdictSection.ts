import type { Figure } from '../figure.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** A part of the verdicts bench that can run alone. */
export interface VerdictSection extends Entry {
  /** Campaigns; the more, the surer the share. */
  readonly repetitions: number;
  measure(options: MeasureOptions): Figure[];
}

export interface Repeating {
  readonly repetitions: number;
  readonly say: (progress: string) => void;
}

export interface MeasureOptions extends Repeating {
  /** Of the repository. */
  readonly root: string;
  /** For what is more than figures. */
  readonly print: (text: string) => void;
}
