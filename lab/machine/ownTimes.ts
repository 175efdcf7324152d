import { readdirSync, readFileSync } from 'node:fs';
import { groupBy } from '../../src/shared/groupBy.ts';

/** Facts about a process in `/proc/PID/stat`; times in ticks, since it began. */
export interface ProcessTimes {
  readonly pid: number;
  readonly parentPid: number;
  /** Start of the process, which identifies it together with the process id: the id alone is used again. */
  readonly startTicks: number;
  readonly ownTicks: number;
  /** Processor time of its children that have ended and that it waited for, and of their children. */
  readonly reapedTicks: number;
  /** Whether it is a thread of the kernel, which works for all programs. */
  readonly isKernel: boolean;
}

/** `PF_KTHREAD` of Linux' include/linux/sched.h. */
const KERNEL_THREAD = 0x0020_0000;

/** Parses `/proc/PID/stat`; null for a text that is cut off. proc(5) counts fields from 1; the second may hold any text. */
export function processTimes(procStat: string): ProcessTimes | null {
  const pid = Number.parseInt(procStat, 10);
  const fields = procStat.slice(procStat.lastIndexOf(')') + 2).split(' ');
  const field = (number: number): number => Number(fields[number - 3]);
  const numbers = {
    pid,
    parentPid: field(4),
    startTicks: field(22),
    ownTicks: field(14) + field(15),
    reapedTicks: field(16) + field(17),
  };
  const isWhole = Object.values(numbers).every(Number.isFinite);
  return isWhole ? { ...numbers, isKernel: (field(9) & KERNEL_THREAD) !== 0 } : null;
}

/** Lists all processes of this machine, or of this container. One that ends while it is read is left out. */
export function allProcesses(): ProcessTimes[] {
  return readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return processTimes(readFileSync(`/proc/${name}/stat`, 'utf8')) ?? [];
    } catch (error) {
      if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return [];
      throw error;
    }
  });
}

/**
 * Adds up the processor time of a process, of everything that it has started, and of the kernel, from the first reading on; call
 * it with each. Pure, but for what it remembers of the reading before.
 *
 * When a process ends, the kernel adds its time to its parent's child time. The time that was counted for it before is
 * subtracted there, so that it counts once. A process whose parent was gone loses the time after the last reading, which is
 * less than the time between two.
 */
export function ownTimes(rootPid: number): (processes: readonly ProcessTimes[]) => number {
  let before: ReadonlyMap<string, ProcessTimes> | null = null;
  let totalTicks = 0;
  return (processes) => {
    const known = before;
    const now = new Map(ownOf(processes, { rootPid, known }).map((each) => [nameOf(each), each]));
    if (known) totalTicks += advance(known, now);
    before = now;
    return totalTicks;
  };
}

type Named = ReadonlyMap<string, ProcessTimes>;

const nameOf = ({ pid, startTicks }: ProcessTimes): string => `${pid}/${startTicks}`;

function advance(before: Named, now: Named): number {
  let [own, reaped] = [0, 0];
  for (const [name, { ownTicks, reapedTicks }] of now) {
    const was = before.get(name);
    own += Math.max(0, ownTicks - (was?.ownTicks ?? 0));
    reaped += Math.max(0, reapedTicks - (was?.reapedTicks ?? 0));
  }
  for (const [name, { ownTicks, reapedTicks }] of before)
    if (!now.has(name)) reaped -= ownTicks + reapedTicks;
  return own + Math.max(0, reaped);
}

/** Finds the tree below `rootPid`, with processes that belonged to it before their parent ended, and the kernel's threads. */
function ownOf(
  processes: readonly ProcessTimes[],
  { rootPid, known }: { rootPid: number; known: Named | null },
): ProcessTimes[] {
  const children = groupBy(processes, ({ parentPid }) => parentPid);
  const found = new Set<ProcessTimes>();
  const add = (process: ProcessTimes): void => {
    if (found.has(process)) return;
    found.add(process);
    for (const child of children.get(process.pid) ?? []) add(child);
  };
  for (const each of processes)
    if (each.pid === rootPid || each.isKernel || known?.has(nameOf(each))) add(each);
  return [...found];
}
