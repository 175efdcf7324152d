import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../analysis/timeline/log.ts';
import type { EventOf, RequestEvent, TransportEvent } from '../telemetry/event.ts';

/** An event of qlog: `time` in ms since `reference_time`, `name` is category and type. */
export interface QlogEvent {
  readonly time: number;
  readonly name: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/**
 * The session in the vocabulary of qlog-has (github.com/JorisHerbots/qlog-has, draft-qlog-has-events.md in its newest
 * version, and its author's dash.js recorder dashjs-qlog-has, which alone writes RepresentationSwitch as
 * `representation_switch`), ascending in time. The draft says uint16 where it means a count of ms or bytes: numbers are
 * those of the log. What it has no word for is under `pitwall:`; fields that it does not know are added to its events.
 */
export const hasEvents = (log: SessionLog): QlogEvent[] =>
  [...playbackEvents(log), ...qualityEvents(log), ...networkEvents(log)].sort(
    (one, other) => one.time - other.time,
  );

type Playback = EventOf<'playback'>;

/** What the viewer did and saw: qlog-has, "Playback events". */
const playbackEvents = (log: SessionLog): QlogEvent[] => [
  { time: 0, name: 'playback:stream_initialised', data: { autoplay: isAutoplay(log) } },
  ...eventsOf(log, 'manifest').map(({ atMs, url, durationMs }) => ({
    time: atMs,
    name: 'playback:metadata_loaded',
    data: { protocol: 'DASH', url, ...(durationMs !== null && { media_duration: durationMs }) },
  })),
  ...eventsOf(log, 'playback').flatMap(ofState),
  ...eventsOf(log, 'seek').map(({ atMs, fromMs, toMs, waitMs }) => ({
    time: atMs,
    name: 'playback:player_interaction',
    data: { state: 'seek', playhead: { ms: fromMs }, target: { ms: toMs }, wait_ms: waitMs },
  })),
  ...eventsOf(log, 'stall').map(({ atMs, playheadMs, durationMs }) => ({
    time: atMs,
    name: 'playback:stall',
    data: { playhead: { ms: playheadMs }, duration_ms: durationMs },
  })),
];

/** Play was asked for before there was a manifest to press a button for. */
function isAutoplay(log: SessionLog): boolean {
  const asked = eventsOf(log, 'playback').find(({ state }) => state === 'play-requested');
  const [manifest] = eventsOf(log, 'manifest');
  return asked !== undefined && (manifest === undefined || asked.atMs < manifest.atMs);
}

function ofState({ state, atMs: time, playheadMs, playbackRate }: Playback): QlogEvent[] {
  const playhead = { ms: playheadMs };
  const interaction = INTERACTIONS[state];
  const seen = STATES[state];
  const other = OTHERS[state];
  return [
    ...(interaction === undefined
      ? []
      : [
          {
            time,
            name: 'playback:player_interaction',
            data: { state: interaction, playhead, playback_rate: playbackRate },
          },
        ]),
    ...(seen === undefined ? [] : [{ time, name: 'playback:player_state', data: { state: seen, playhead } }]),
    ...(other === undefined ? [] : [{ time, name: other, data: { playhead } }]),
  ];
}

type States = Readonly<Partial<Record<Playback['state'], string>>>;

const INTERACTIONS: States = { 'play-requested': 'play', paused: 'pause', rate: 'playback_rate' };
const STATES: States = { playing: 'playing', paused: 'paused', stopped: 'stopped', ended: 'stopped' };
const OTHERS: States = { sample: 'playback:playhead_progress', ended: 'playback:stream_end' };

/** Rungs, decisions, buffers, frames: qlog-has, "Adaptive BitRate events" and "Buffer events". */
const qualityEvents = (log: SessionLog): QlogEvent[] => [
  ...switches(log),
  ...eventsOf(log, 'buffer').map(({ atMs, mediaType, levelMs }) => ({
    time: atMs,
    name: 'buffer:occupancy_update',
    data: { media_type: mediaType, buffer: { level_ms: levelMs } },
  })),
  ...eventsOf(log, 'frames').map(({ atMs, dropped }) => ({
    time: atMs,
    name: 'abr:metrics_updated',
    data: { dropped_frames: dropped },
  })),
  ...eventsOf(log, 'decision').map(
    ({ id, atMs, mediaType, rule, rung, bitrateKbps, because, requestId }) => ({
      time: atMs,
      name: 'pitwall:decision',
      data: {
        id,
        media_type: mediaType,
        rule,
        rung,
        bitrate_kbps: bitrateKbps,
        because,
        request_id: requestId,
      },
    }),
  ),
];

/** A representation is named by the newest ladder of its media type. Bitrates are bit/s, as DASH' @bandwidth. */
function switches({ events }: SessionLog): QlogEvent[] {
  const ladders = new Map<string, EventOf<'ladder'>['rungs']>();
  return events.flatMap((event) => {
    if (event.kind === 'ladder') ladders.set(event.mediaType, event.rungs);
    if (event.kind !== 'switch') return [];
    const rungs = ladders.get(event.mediaType);
    const { fromRung, toRung, bitrateKbps, mediaType, atMs: time, phase, reason } = event;
    const named = (rung: number): string => rungs?.[rung]?.representationId ?? `rung ${rung}`;
    const to = { id: named(toRung), bitrate: bitrateKbps * 1000 };
    const from = fromRung === null ? {} : { from: { id: named(fromRung) } };
    const name = phase === 'rendered' ? 'playback:quality_changed' : 'abr:representation_switch';
    return [{ time, name, data: { media_type: mediaType, to, ...from, ...(reason !== '' && { reason }) } }];
  });
}

/** Requests, what they raced and what the origin saw: qlog-has, "Network events" and `metrics_updated`. */
const networkEvents = (log: SessionLog): QlogEvent[] => [
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
      smoothed_rtt: rttMs,
      min_rtt: minRttMs,
      rtt_variance: rttVarMs,
      congestion_window: cwndBytes,
      connection_id: connectionId,
      protocol: origin!.protocol,
    },
  }));
  return [...raced, ...samples];
}
