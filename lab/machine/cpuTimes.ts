/** What `/proc/stat` has counted since the machine started, of all its cores together, in ticks. */
export interface CpuTimes {
  /** Those that are online. */
  readonly cores: number;
  /** In the order of the file: user, nice, system, idle, iowait, irq, softirq, steal. */
  readonly ticks: readonly number[];
}

const COUNTERS = 8;
const SYSTEM = 2;
const IDLE = 3;
const IOWAIT = 4;
const STEAL = 7;

/**
 * null for a text that is not whole. The first line keeps the ticks of cores that went offline (fs/proc/stat.c counts
 * all possible ones), so it is read rather than the sum of the others. Guest time, after steal, is within user time.
 */
export function cpuTimes(procStat: string): CpuTimes | null {
  const [, first] = /^cpu +(\d[\d ]*)\n/.exec(procStat) ?? [];
  const cores = [...procStat.matchAll(/^cpu\d+ .*\n/gm)].length;
  const ticks = first?.trim().split(/ +/).map(Number).slice(0, COUNTERS) ?? [];
  // "intr" follows the last core: with it, no line of a core is missing.
  return ticks.length === COUNTERS && cores > 0 && /^intr /m.test(procStat) ? { cores, ticks } : null;
}

/** Ticks between two readings that programs and the kernel's threads used: neither interrupts nor what the host took. */
export function programTicks(before: CpuTimes, after: CpuTimes): number {
  const spent = ({ ticks }: CpuTimes): number =>
    ticks.slice(0, SYSTEM + 1).reduce((sum, each) => sum + each, 0);
  return spent(after) - spent(before);
}

/** All ticks of all cores between two readings. */
export const allTicks = (before: CpuTimes, after: CpuTimes): number =>
  after.ticks.reduce((sum, ticks, at) => sum + Math.max(0, ticks - (before.ticks[at] ?? 0)), 0);

/** Shares of all cores' time, in %. */
export interface CpuUse {
  readonly busyPercent: number;
  /** The part of it that the host gave to other machines. */
  readonly stolenPercent: number;
}

/**
 * Between two readings; null where no tick has gone by. Idle is idle and iowait: a core that waits for a disk is free.
 * Stolen time is busy: it is none of ours, but whoever wanted the core then did not get it. A counter that goes back
 * stood still: iowait does that by its nature (proc(5)), idle when a core goes offline.
 */
export function cpuUse(before: CpuTimes, after: CpuTimes): CpuUse | null {
  const advances = after.ticks.map((ticks, at) => Math.max(0, ticks - (before.ticks[at] ?? 0)));
  const all = allTicks(before, after);
  if (all === 0) return null;
  const percent = (...at: number[]): number =>
    (100 * at.reduce((sum, each) => sum + (advances[each] ?? 0), 0)) / all;
  return { busyPercent: 100 - percent(IDLE, IOWAIT), stolenPercent: percent(STEAL) };
}
