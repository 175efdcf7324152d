import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** A made-up session without media. */
export function transferSession(transfer: string, events: readonly RequestEvent[]): SessionLog {
  const log = exampleLog();
  const environment = { ...log.environment, transfer };
  return { ...log, environment, events: [...events] };
}

type Place = Partial<NonNullable<RequestEvent['transfer']>>;

/** A request that went out, and got its first and last byte at these times; of an object of 1 MB that is requested whole. */
export function transferRequest(
  [startMs, firstByteMs, lastByteMs]: readonly [number, number, number],
  place: Place = {},
  changes: Partial<RequestEvent> = {},
): RequestEvent {
  const transfer = { stream: 0, object: 0, sizeBytes: 1_000_000, part: 0, parts: 1, ...place };
  return exampleRequest({
    id: `t${transfer.stream}-${transfer.object}-${transfer.part}`,
    type: 'probe',
    mediaType: null,
    transfer,
    atMs: startMs,
    startMs,
    firstByteMs,
    lastByteMs,
    endMs: lastByteMs,
    receivedBytes: transfer.sizeBytes / transfer.parts,
    ...changes,
  });
}
