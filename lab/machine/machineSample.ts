import type { CpuTimes } from './cpuTimes.ts';

/** A reading of the machine, and what was seen since the one before. */
export interface MachineSample {
  /** Of a clock that only goes forward. */
  readonly atMs: number;
  readonly cpu: CpuTimes;
  /** What the run itself and the kernel's threads have used since the first reading, in ticks as `cpu` has them. */
  readonly ownTicks: number;
  /** Other runs of Pitwall that play on the machine at this moment. */
  readonly otherRuns: number;
  /** How much later than asked each of the runner's timers came. */
  readonly timerDelaysMs: readonly number[];
  /** How long the link's emulator waited for its turn between a timer and the next; empty without a link. */
  readonly emulatorWaitsMs: readonly number[];
}

/** How often a timer is asked for. */
export const TICK_MS = 100;
/**
 * How often the cores' times are read: every 20th tick. About what a segment takes, and long enough that a single page
 * or browser that starts does not fill it.
 */
export const WINDOW_MS = 2000;
