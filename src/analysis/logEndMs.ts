import type { SessionLog } from '../telemetry/schema/sessionLog.ts';

/**
 * Last moment a log speaks of, ms of session time. Not that of its last event: a request is recorded when it ends, at
 * the moment it was asked for.
 */
export function logEndMs({ events, parts }: SessionLog): number {
  const ofParts = parts.reduce((last, { endMs }) => Math.max(last, endMs ?? 0), 0);
  return events.reduce((last, { atMs }) => Math.max(last, atMs), ofParts);
}
