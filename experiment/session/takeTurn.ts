import { readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { takesLock } from '../../setup/whileLocked.mjs';

/** The right to start a session, which one of a run's workers has at a time. */
export interface Turn {
  /** The next worker may start. Twice is once. */
  end(): void;
}

/** Whoever waited so long starts all the same: a start takes 8 to 12 s, lead-in and all, and twenty may want to. */
export const LONGEST_WAIT_MS = 240_000;
const EVERY_MS = 100;

/**
 * Waits until no other worker is starting a session. To start servers, a browser and the page is more work than to play for
 * half a minute: two starts at once hold both cores of a small machine, and whoever plays then, or is due to, feels it.
 * With six at once, 7 tries in 81 asked for play over 100 ms late, and in 2 the guard found the machine to blame; in turns none
 * of 72.
 */
export async function takeTurn(lockFile: string, longestWaitMs = LONGEST_WAIT_MS): Promise<Turn> {
  // Not the system clock, which somebody may set meanwhile.
  const untilMs = performance.now() + longestWaitMs;
  while (!takesLock(lockFile)) {
    if (performance.now() >= untilMs) return { end: () => {} };
    await passed(EVERY_MS);
  }
  let isMine = true;
  return {
    end: () => {
      if (isMine) rmSync(lockFile, { force: true });
      isMine = false;
    },
  };
}

/**
 * The lock file that runs over links share which a larger program has started: they play on one machine. What runs have left
 * of a program that is gone, all of them killed, is removed.
 */
export function sharedStartLock(within: string, rootPid: number): string {
  for (const name of readdirSync(within)) {
    const pid = Number(new RegExp(`^${PREFIX}(\\d+)\\.lock$`).exec(name)?.[1] ?? rootPid);
    if (pid !== rootPid && !isThere(pid)) removeOwn(path.join(within, name));
  }
  return path.join(within, `${PREFIX}${rootPid}.lock`);
}

const PREFIX = 'pitwall-start-';

function removeOwn(file: string): void {
  try {
    rmSync(file, { force: true });
  } catch {
    // It is another user's.
  }
}

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
