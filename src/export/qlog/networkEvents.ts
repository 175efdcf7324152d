import { eventsOf } from '../../analysis/timeline/log.ts';
import type { RequestEvent, TransportEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { QlogEvent } from './hasEvents.ts';

/** Requests, what they raced and what the origin saw: qlog-has, "Network events" and `metrics_updated`. */
export const networkEvents = (log: SessionLog): QlogEvent[] => [
  ...eventsOf(log, 'request').flatMap(ofRequest),
  ...eventsOf(log, 'transport').flatMap(ofTransport),
  ...eventsOf(log, 'error').map(({ atMs, code, message }) => ({
    time: atMs,
    name: 'error:application_error',
    data: { code, description: message },
  })),
];

/** `protocol`, `request_id` and the phases are ours: the draft has none, and two requests may have one URL. */
function ofRequest(event: RequestEvent): QlogEvent[] {
  const { id, url, range, outcome, protocol, status, receivedBytes, firstByteMs } = event;
  const request = { resource_url: url, request_id: id };
  const began: QlogEvent = {
    time: event.startMs ?? event.atMs,
    name: 'network:request',
    data: { media_type: mediaTypeOf(event), ...request, ...(range !== null && { request_range: range }) },
  };
  const endedMs = event.lastByteMs ?? event.endMs;
  if (endedMs === null) return [began];
  const facts = { protocol, status, outcome, first_byte_ms: firstByteMs };
  const time = Math.max(endedMs, began.time);
  const came = {
    time,
    name: 'network:request_update',
    data: { ...request, bytes_received: receivedBytes, ...facts },
  };
  const updates = receivedBytes === null ? [] : [came];
  const isAborted = outcome === 'aborted' || outcome === 'timeout';
  return [
    began,
    ...updates,
    ...(isAborted
      ? [
          {
            time: Math.max(time, event.endMs ?? 0),
            name: 'network:request_abort',
            data: { ...request, outcome },
          },
        ]
      : []),
  ];
}

function mediaTypeOf({ type, mediaType }: RequestEvent): string {
  if (type === 'manifest') return 'manifest';
  if (mediaType === 'text') return 'subtitles';
  return mediaType ?? 'other';
}

function ofTransport({ atMs, requestId, source, races, connectionId, origin }: TransportEvent): QlogEvent[] {
  const raced = races.map((race) => ({
    time: race.startMs ?? atMs,
    name: 'pitwall:race',
    data: { request_id: requestId, source, connection_id: race.connectionId ?? connectionId, ...race },
  }));
  const samples = (origin?.samples ?? []).map(({ atMs: time, rttMs, minRttMs, rttVarMs, cwndBytes }) => ({
    time,
    name: 'abr:metrics_updated',
    data: {
      ...{ smoothed_rtt: rttMs, min_rtt: minRttMs, rtt_variance: rttVarMs },
      ...{ congestion_window: cwndBytes, connection_id: connectionId, protocol: origin!.protocol },
    },
  }));
  return [...raced, ...samples];
}
