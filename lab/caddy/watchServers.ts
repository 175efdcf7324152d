/** Watches servers of the lab from any process: one that ends or stands still says nothing of what is measured. */
import { readFileSync } from 'node:fs';
import { setTimeout as passed } from 'node:timers/promises';

/** A server that is down is noticed so much later, ms. A look reads one small file of `/proc`. */
const LOOKED_MS = 500;
/** A server that is started again listens within this time, ms. */
const START_LIMIT_MS = 15_000;

export interface ServerWatch {
  /** Resolves to one sentence when a server has ended or stands still. */
  readonly down: Promise<string>;
  stop(): void;
}

/**
 * Looks again and again whether servers run whose process ids are in these files (`Origin.pidFile`). It asks the system and not
 * the server: a request would be in its logs, and over a link it would have to enter a namespace.
 */
export function watchServers(pidFiles: readonly string[], everyMs = LOOKED_MS): ServerWatch {
  const pids = pidFiles.map(pidIn);
  let timer: NodeJS.Timeout | undefined;
  const down = new Promise<string>((resolve) => {
    timer = setInterval(() => {
      const fault = faultOf(pids);
      if (fault === null) return;
      clearInterval(timer);
      resolve(fault);
    }, everyMs).unref();
  });
  return { down, stop: () => clearInterval(timer) };
}

/** Waits until all of these servers run, which may just be started again. @throws Error in one sentence when one does not in time */
export async function serversRunning(pidFiles: readonly string[], limitMs = START_LIMIT_MS): Promise<void> {
  const untilMs = performance.now() + limitMs;
  for (;;) {
    const fault = faultOf(pidFiles.map(pidIn));
    if (fault === null) return;
    if (performance.now() >= untilMs) throw new Error(fault);
    await passed(100);
  }
}

function faultOf(pids: readonly (number | null)[]): string | null {
  for (const pid of pids) {
    const state = pid === null ? 'gone' : processState(pid);
    if (state === 'gone') return `The server of process ${pid ?? 'unknown'} ended.`;
    if (state === 'stopped') return `The server of process ${pid} stands still: a signal stopped it.`;
  }
  return null;
}

/** null where the server has removed the file at its end. */
function pidIn(file: string): number | null {
  try {
    return Number(readFileSync(file, 'utf8')) || null;
  } catch {
    return null;
  }
}

function processState(pid: number): 'running' | 'stopped' | 'gone' {
  if (process.platform !== 'linux') return isThere(pid) ? 'running' : 'gone';
  const letter = stateLetter(pid);
  if (/[ZXx]/.test(letter)) return 'gone';
  return /[Tt]/.test(letter) ? 'stopped' : 'running';
}

/** proc(5): field 3 of `/proc/PID/stat`; the second one is a name that may hold spaces. */
function stateLetter(pid: number): string {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return stat.charAt(stat.lastIndexOf(')') + 2);
  } catch {
    return 'X';
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
