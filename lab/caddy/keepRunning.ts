import { setTimeout as passed } from 'node:timers/promises';
import type { Origin } from './origin.ts';
import { watchServers, type ServerWatch } from './watchServers.ts';

/** Between two tries to start an origin again, ms. */
const TRIES_MS = 5000;

/**
 * Starts an origin again, on its ports, whenever it ends or stands still by itself, and prints one sentence each time. `stop` it
 * before the origin.
 */
export function keepRunning(
  origin: Pick<Origin, 'pidFile' | 'restart'>,
  print: (sentence: string) => void,
): Pick<ServerWatch, 'stop'> {
  let isOver = false;
  let watch: ServerWatch;
  const startAgain = async (fault: string): Promise<void> => {
    print(`${fault} It is started again, and sessions that it was serving are played again.`);
    while (!isOver && !(await hasStarted(origin, print))) await passed(TRIES_MS, null, { ref: false });
    if (!isOver) begin();
  };
  const begin = (): void => {
    watch = watchServers([origin.pidFile]);
    void watch.down.then(startAgain);
  };
  begin();
  return {
    stop() {
      isOver = true;
      watch.stop();
    },
  };
}

async function hasStarted(
  { restart }: Pick<Origin, 'restart'>,
  print: (sentence: string) => void,
): Promise<boolean> {
  try {
    await restart();
    return true;
  } catch (error) {
    print(`It could not be started: ${(error as Error).message}`);
    return false;
  }
}
