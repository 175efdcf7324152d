import { oncePerLog } from './oncePerLog.ts';

/**
 * Last moment a log speaks of, ms of session time. Not that of its last event: a request is recorded when it ends, at
 * the moment it was asked for.
 */
export const logEndMs = oncePerLog(({ events, parts }): number => {
  const ofParts = parts.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0);
  let lastMs = ofParts;
  for (const { atMs } of events) if (atMs > lastMs) lastMs = atMs;
  return lastMs;
});
