import type { Entry } from '../src/shared/registry.ts';

/** A measurement that `pitwall bench` can run. It prints its own tables. */
export interface Bench extends Entry {
  /** Parts that can run alone, for a bench that has several. */
  readonly sections?: readonly Entry[];
  /** Options that it takes besides those of every bench. */
  readonly options?: readonly (keyof ExtraOptions)[];
  /** Resolves to the exit code. A missed goal is a result, not a failure; only a broken budget fails. */
  run(options: BenchOptions): Promise<number>;
}

export interface BenchOptions extends ExtraOptions {
  /** The checkout. */
  readonly root: string;
  /** File to which every figure is written as well. */
  readonly json?: string;
  /** Fewer and shorter repetitions: shows that everything runs, not how fast it is. */
  readonly quick?: boolean;
  /** Only these sections, by id; all when absent. */
  readonly only?: readonly string[];
}

/** Options of some benches. */
export interface ExtraOptions {
  /** Folder that keeps what was played, so that the same command continues it. */
  readonly out?: string;
  /** Gate file of every gate. */
  readonly file?: string;
  /** Budget of each gate, instead of that of its file. */
  readonly minutes?: number;
  /** Pairs that play at the same time. */
  readonly workers?: number;
  /** How many gates compare a build with itself. */
  readonly aa?: number;
  /** A table of sessions whose A/A pairs count, too. */
  readonly also?: string;
  /** Another checkout of Pitwall, set up, whose pages are measured beside those of this one. */
  readonly beside?: string;
}
