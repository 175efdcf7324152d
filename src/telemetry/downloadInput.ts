import { carriedBytes } from './carriedBytes.ts';
import type { RequestEvent, RuleInputEvent } from './event.ts';

/** The `DownloadEvent` of `src/abr/rule.ts`. */
type DownloadEvent = Extract<RuleInputEvent['input'], { kind: 'download' }>;
type MediaType = RuleInputEvent['mediaType'];

/**
 * Returns a recorded media request as a rule input; null when it carries no rate: not media, not finished,
 * nothing received, answered by the browser's cache, or unknown rung. `rungOf` finds the rung in the ladder that the rules
 * were given.
 */
export function downloadInput(
  request: RequestEvent,
  rungOf: (mediaType: MediaType, representationId: string | null) => number | null,
): DownloadEvent | null {
  const { bitrateKbps } = request;
  // Where a service worker answers everything, its times are all that a rule can have.
  const isOfWorker = request.missing['protocol'] === 'service-worker';
  const sizeBytes = isOfWorker ? request.receivedBytes : carriedBytes(request);
  const mediaType = mediaTypeOf(request);
  const lastByteMs = request.lastByteMs ?? request.endMs;
  if (mediaType === null || !sizeBytes || lastByteMs === null || bitrateKbps === null) return null;
  const rung = rungOf(mediaType, request.representationId) ?? request.rung;
  if (rung === null) return null;
  return {
    kind: 'download',
    mediaType,
    segment: request.segment,
    rung,
    bitrateKbps,
    sizeBytes,
    startMs: request.startMs ?? request.atMs,
    firstByteMs: request.firstByteMs,
    lastByteMs: withoutWaits(request, lastByteMs),
    protocol: request.protocol,
    connectionReused: request.connectionReused,
    // A body that a time-out, an error or the network cut short says as much as one that the player cut short.
    aborted: request.outcome !== 'ok',
  };
}

/** When the last byte would have come if all chunks of the segment had been made: the waits for them say nothing of the network. */
function withoutWaits({ activeMs, firstByteMs }: RequestEvent, lastByteMs: number): number {
  return activeMs === undefined || firstByteMs === null
    ? lastByteMs
    : Math.min(lastByteMs, firstByteMs + activeMs);
}

/** null for all that is not a finished audio or video segment. */
function mediaTypeOf({ type, mediaType, outcome }: RequestEvent): MediaType | null {
  return type === 'media' && outcome !== 'in-flight' && mediaType !== 'text' ? mediaType : null;
}
