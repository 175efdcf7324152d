import { setTimeout as passed } from 'node:timers/promises';
import type { Origin } from './origin.ts';
import { watchServers, type ServerWatch } from './watchServers.ts';

/** Between two tries to start an origin again, ms. */
const TRIES_MS = 5000;

/** By these a run is ended, and a Ctrl-C of a terminal ends its origins, too. */
const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

type Kept = Pick<Origin, 'pidFile' | 'restart'>;

/**
 * Starts each of these origins again, on its ports, whenever it ends or stands still by itself, and prints one sentence each time,
 * until the run is ended by a signal. For a time in which somebody else listens for these signals. Wait for `stop` before an origin
 * is stopped: one that is just started again would be left behind.
 */
export function keepRunning(
  origins: readonly Kept[],
  print: (sentence: string) => void,
): { stop(): Promise<void> } {
  const end = new AbortController();
  const giveUp = (): void => end.abort();
  for (const signal of ENDING) process.once(signal, giveUp);
  const keeping = origins.map((origin) => keepOne(origin, print, end.signal));
  return {
    async stop() {
      giveUp();
      for (const signal of ENDING) process.off(signal, giveUp);
      await Promise.all(keeping);
    },
  };
}

async function keepOne(origin: Kept, print: (sentence: string) => void, end: AbortSignal): Promise<void> {
  while (!end.aborted) {
    const fault = await unlessEnded(watchServers([origin.pidFile]), end);
    if (fault === null) return;
    print(`${fault} It is started again, and sessions that it was serving are played again.`);
    while (!end.aborted && !(await hasStarted(origin, print)))
      await passed(TRIES_MS, null, { signal: end }).catch(() => undefined);
  }
}

/** Why a server is down; null where nobody wants to know any more. */
async function unlessEnded(watch: ServerWatch, end: AbortSignal): Promise<string | null> {
  const ended = new Promise<null>((resolve) => {
    if (end.aborted) resolve(null);
    else end.addEventListener('abort', () => resolve(null), { once: true });
  });
  try {
    return await Promise.race([watch.down, ended]);
  } finally {
    watch.stop();
  }
}

async function hasStarted(origin: Kept, print: (sentence: string) => void): Promise<boolean> {
  try {
    await origin.restart();
    return true;
  } catch (error) {
    print(`It could not be started: ${(error as Error).message}`);
    return false;
  }
}
