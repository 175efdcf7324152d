import type { Entry } from '../src/shared/registry.ts';

/** A measurement that `pitwall bench` can run. It prints its own tables. */
export interface Bench extends Entry {
  /** Parts that can run alone, for a bench that has several. */
  readonly sections?: readonly Entry[];
  /** Resolves to the exit code. A missed goal is a result, not a failure; only a broken budget fails. */
  run(options: BenchOptions): Promise<number>;
}

export interface BenchOptions {
  /** The checkout. */
  readonly root: string;
  /** Also write every figure to this file. */
  readonly json?: string;
  /** Fewer and shorter repetitions: shows that everything runs, not how fast it is. */
  readonly quick?: boolean;
  /** Only these sections, by id; all when absent. */
  readonly only?: readonly string[];
}
