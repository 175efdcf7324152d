import { oncePerLog } from './oncePerLog.ts';

/**
 * Last moment in a log, ms of session time. This is not the time of its last event: a request is recorded when it ends,
 * with the time at which it was asked for.
 */
export const logEndMs = oncePerLog(({ events, parts }): number => {
  const ofParts = parts.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0);
  let lastMs = ofParts;
  for (const { atMs } of events) if (atMs > lastMs) lastMs = atMs;
  return lastMs;
});
