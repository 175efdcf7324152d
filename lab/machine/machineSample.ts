import type { CpuTimes } from './cpuTimes.ts';

/** A reading of the machine, with the delays since the reading before. */
export interface MachineSample {
  /** Time of the reading, by a clock that only goes forward. */
  readonly atMs: number;
  readonly cpu: CpuTimes;
  /** Processor time of the run itself and of the kernel's threads since the first reading, in the ticks of `cpu`. */
  readonly ownTicks: number;
  /** Other runs of Pitwall that play on the machine at this moment. */
  readonly otherRuns: number;
  /** Delay of each of the runner's timers. */
  readonly timerDelaysMs: readonly number[];
  /** Time that the link's emulator waited for a core between a timer and the next; empty without a link. */
  readonly emulatorWaitsMs: readonly number[];
}

/** Interval of the runner's timers. */
export const TICK_MS = 100;
/**
 * Interval at which the cores' times are read: every 20th tick. It is about the time of a segment, and so long that a single
 * page or browser that starts does not fill it.
 */
export const WINDOW_MS = 2000;
