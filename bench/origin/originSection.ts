import type { Entry } from '../../src/shared/registry.ts';
import type { Figure } from '../figure.ts';

/** A part of the bench that can run alone. */
export interface OriginSection extends Entry {
  measure(options: {
    readonly quick: boolean;
    readonly say: (progress: string) => void;
  }): Promise<OriginResult>;
}

interface OriginResult {
  /** Lines to print before the figures. */
  readonly text: string;
  readonly figures: readonly Figure[];
  /** Every value, for `--json`. */
  readonly raw: unknown;
}
