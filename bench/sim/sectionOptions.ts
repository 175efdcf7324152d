import type { RateTrace } from '../../src/network/rateTrace.ts';

export interface SimSectionOptions {
  readonly traces: readonly RateTrace[];
  /** Shows that it runs, not how fast. */
  readonly quick: boolean;
  readonly say: (progress: string) => void;
}
