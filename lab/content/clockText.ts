import { setTimeout as sleep } from 'node:timers/promises';

/** How far from a whole second the clock answers, ms: farther than `telemetry/shell/liveClock.ts` takes for a whole one. */
const FROM_WHOLE_SECOND_MS = 20;

/**
 * What the clock of a live stream answers: now, in ISO 8601 with ms. Near a whole second it waits, for 40 ms at most: a recorder
 * cannot tell such an answer from that of a clock of whole seconds, and would log 1 s more of error.
 */
export async function clockText(): Promise<string> {
  const sinceMs = (Date.now() + FROM_WHOLE_SECOND_MS) % 1000;
  if (sinceMs < 2 * FROM_WHOLE_SECOND_MS) await sleep(2 * FROM_WHOLE_SECOND_MS - sinceMs);
  return new Date().toISOString();
}
