import type { Entry } from '../../src/shared/registry.ts';

/** A part of the bench that can run alone. */
export interface SenderSection extends Entry {
  measure(options: SenderSectionOptions): Promise<SenderResult>;
}

interface SenderSectionOptions {
  /** Shows that it runs, not how it is. */
  readonly quick: boolean;
  readonly say: (progress: string) => void;
}

interface SenderResult {
  /** Lines to print. */
  readonly text: string;
  /** Every value, for `--json`. */
  readonly raw: unknown;
}
