import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { eventsOf, oncePerLog } from '../timeline/log.ts';
import { protocolOf, type Protocol, PROTOCOL_NAMES, PROTOCOLS } from './protocol.ts';

/** One audio or video segment with its three moments, ms of session time. */
export interface MediaTiming {
  readonly requestId: string;
  readonly mediaType: 'video' | 'audio';
  readonly protocol: Protocol;
  readonly sizeBytes: number;
  /** Resource Timing `startTime`: waiting for a connection counts, as it does for the viewer. */
  readonly startMs: number;
  readonly firstByteMs: number;
  readonly lastByteMs: number;
}

/**
 * The media requests that came whole and say all three moments, by their starts. What the browser's cache answered, also after
 * a 304, and what a service worker answered is left out: its time says nothing of the network.
 */
export const mediaTimings = oncePerLog((log): readonly MediaTiming[] =>
  eventsOf(log, 'request')
    .filter(cameWhole)
    .flatMap((request) => timingOf(request) ?? [])
    .sort((one, other) => one.startMs - other.startMs || one.lastByteMs - other.lastByteMs),
);

const cameWhole = ({ type, outcome }: RequestEvent): boolean => type === 'media' && outcome === 'ok';

function timingOf(request: RequestEvent): MediaTiming | null {
  const { id: requestId, mediaType, firstByteMs, lastByteMs } = request;
  const sizeBytes = carriedBytes(request);
  const startMs = request.startMs ?? request.requestStartMs;
  if ((mediaType !== 'video' && mediaType !== 'audio') || !sizeBytes) return null;
  if (startMs === null || firstByteMs === null || lastByteMs === null) return null;
  const protocol = protocolOf(request.protocol);
  return { requestId, mediaType, protocol, sizeBytes, startMs, firstByteMs, lastByteMs };
}

/** A number for each protocol that something was carried by, under the name that people know. */
export function partsByProtocol<Entry extends { readonly protocol: Protocol }>(
  entries: readonly Entry[],
  measure: (entries: readonly Entry[]) => number | null,
): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const protocol of PROTOCOLS) {
    const mine = entries.filter((entry) => entry.protocol === protocol);
    const value = mine.length > 0 ? measure(mine) : null;
    if (value !== null) parts[PROTOCOL_NAMES[protocol]] = value;
  }
  return parts;
}
