import { setTimeout as pause } from 'node:timers/promises';
import { processUse } from './processUse.ts';

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
