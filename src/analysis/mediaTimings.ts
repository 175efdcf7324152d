import type { RequestEvent } from '../telemetry/event.ts';
import { eventsOf } from './eventsOf.ts';
import { oncePerLog } from './oncePerLog.ts';
import { protocolOf, type Protocol } from './protocol.ts';

/** One audio or video segment with its three moments, ms of session time. */
export interface MediaTiming {
  readonly mediaType: 'video' | 'audio';
  readonly protocol: Protocol;
  readonly sizeBytes: number;
  /** Resource Timing `startTime`: waiting for a connection counts, as it does for the viewer. */
  readonly startMs: number;
  readonly firstByteMs: number;
  readonly lastByteMs: number;
}

/**
 * The media requests that came whole and say all three moments, by their starts. What the browser's cache answered is
 * left out: no network was asked.
 */
export const mediaTimings = oncePerLog((log): readonly MediaTiming[] =>
  eventsOf(log, 'request')
    .filter(cameWhole)
    .flatMap((request) => timingOf(request) ?? [])
    .sort((one, other) => one.startMs - other.startMs || one.lastByteMs - other.lastByteMs),
);

const cameWhole = ({ type, outcome, missing }: RequestEvent): boolean =>
  type === 'media' && outcome === 'ok' && missing['protocol'] !== 'cached';

function timingOf(request: RequestEvent): MediaTiming | null {
  const { mediaType, receivedBytes, firstByteMs, lastByteMs } = request;
  const startMs = request.startMs ?? request.requestStartMs;
  if ((mediaType !== 'video' && mediaType !== 'audio') || !receivedBytes) return null;
  if (startMs === null || firstByteMs === null || lastByteMs === null) return null;
  const protocol = protocolOf(request.protocol);
  return { mediaType, protocol, sizeBytes: receivedBytes, startMs, firstByteMs, lastByteMs };
}
