import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';

/** What Linux tells of a process. */
interface ProcessUse {
  /** In user space and in the kernel since its start. */
  readonly cpuSeconds: number;
  readonly residentBytes: number;
}

export function processUse(pid: number): ProcessUse {
  const read = (name: string): string => readFileSync(`/proc/${pid}/${name}`, 'utf8');
  return {
    cpuSeconds: cpuTicksIn(read('stat')) / ticksASecond(),
    residentBytes: residentBytesIn(read('status')),
  };
}

/** utime and stime, fields 14 and 15 of /proc/PID/stat (proc(5)); the name before them may hold spaces and brackets. */
export function cpuTicksIn(stat: string): number {
  const [utime, stime] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 13)
    .map(Number);
  if (utime === undefined || stime === undefined) throw new Error(`no processor times in "${stat}"`);
  return utime + stime;
}

export function residentBytesIn(status: string): number {
  const [, kilobytes] = /^VmRSS:\s*(\d+) kB/m.exec(status) ?? [];
  if (kilobytes === undefined) throw new Error('no VmRSS in /proc/PID/status: has the process ended?');
  return Number(kilobytes) * 1024;
}

let ticks: number | null = null;
function ticksASecond(): number {
  ticks ??= Number(execFileSync('getconf', ['CLK_TCK'], { encoding: 'utf8' }));
  return ticks;
}

const LOOK_EVERY_MS = 500;

/** Waits for `work`, and tells what memory a process held at most meanwhile. */
export async function whileWatching<T>(
  pid: number,
  work: Promise<T>,
): Promise<{ result: T; peakBytes: number }> {
  let [peakBytes, isOver] = [0, false];
  const watching = (async () => {
    while (!isOver) {
      peakBytes = Math.max(peakBytes, processUse(pid).residentBytes);
      await pause(LOOK_EVERY_MS);
    }
  })();
  const result = await work.finally(() => (isOver = true));
  await watching;
  return { result, peakBytes };
}
