import type { Figure } from '../figure.ts';
import type { Entry } from '../../src/shared/registry.ts';

/** A part of the verdicts bench that can run alone. */
export interface VerdictSection extends Entry {
  /** Campaigns; the more, the surer the share. */
  readonly repetitions: number;
  measure(options: Repeating): Figure[];
}

export interface Repeating {
  readonly repetitions: number;
  readonly say: (progress: string) => void;
}
