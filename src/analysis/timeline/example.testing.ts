import type { EventOf, EventKind, RequestEvent } from '../../telemetry/event.ts';
import { exampleLog, exampleDecision, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** Made-up events for tests, a line each. Ids are numbered by `exampleSession`. */
const event = <Kind extends EventKind>(
  kind: Kind,
  atMs: number,
  fields: Omit<EventOf<Kind>, 'kind' | 'id' | 'atMs' | 'missing'> & { missing?: EventOf<Kind>['missing'] },
): EventOf<Kind> => ({ kind, id: 'x', atMs, missing: {}, ...fields }) as unknown as EventOf<Kind>;

export const playback = (atMs: number, state: EventOf<'playback'>['state']): SessionEvent =>
  event('playback', atMs, {
    state,
    playheadMs: atMs,
    playbackRate: 1,
    liveLatencyMs: null,
    missing: { liveLatencyMs: 'not-applicable' },
  });

/** Makes a playback event whose playhead is not the session's clock, at a playback rate. */
export const reading = (
  atMs: number,
  state: EventOf<'playback'>['state'],
  playheadMs: number,
  playbackRate = 1,
): SessionEvent => ({ ...playback(atMs, state), playheadMs, playbackRate }) as SessionEvent;

/** Requests for video segments of these lengths, one after the other from the start of the media on. */
export const segmentsOf = (...lengthsMs: readonly number[]): SessionEvent[] => {
  let mediaStartMs = 0;
  return lengthsMs.map((mediaDurationMs) => {
    const event = exampleRequest({ mediaStartMs, mediaDurationMs });
    mediaStartMs += mediaDurationMs;
    return event;
  });
};

/** Makes a playback event of a live stream: how far behind the live edge it plays, and how fast. */
export const livePlayback = (
  atMs: number,
  state: EventOf<'playback'>['state'],
  { latencyMs, rate = 1, errorMs }: { latencyMs: number; rate?: number; errorMs?: number },
): SessionEvent =>
  event('playback', atMs, {
    state,
    playheadMs: atMs,
    playbackRate: rate,
    liveLatencyMs: latencyMs,
    ...(errorMs !== undefined && { liveLatencyErrorMs: errorMs }),
  });

export const level = (atMs: number, levelMs: number, mediaType: 'video' | 'audio' = 'video'): SessionEvent =>
  event('buffer', atMs, { mediaType, levelMs });

/** A rendered (or requested) rung of the example's ladder: 400, 1000, 4000 kbit/s. */
export const rung = (
  atMs: number,
  toRung: 0 | 1 | 2,
  phase: 'rendered' | 'requested' = 'rendered',
): SessionEvent =>
  event('switch', atMs, {
    phase,
    mediaType: 'video',
    fromRung: null,
    toRung,
    bitrateKbps: [400, 1000, 4000][toRung]!,
    reason: '',
    missing: { fromRung: 'not-applicable' },
  });

export const stalled = (atMs: number, durationMs: number | null): SessionEvent =>
  event('stall', atMs, {
    playheadMs: atMs,
    durationMs,
    missing: durationMs === null ? { durationMs: 'in-flight' } : {},
  });

export const sought = (atMs: number, waitMs: number | null): SessionEvent =>
  event('seek', atMs, {
    fromMs: atMs,
    toMs: 30_000,
    waitMs,
    missing: waitMs === null ? { waitMs: 'not-applicable' } : {},
  });

export const framesSeen = (atMs: number, decoded: number, dropped: number): SessionEvent =>
  event('frames', atMs, { decoded, dropped });

/** A choice of a steering policy. */
export const choice = (
  atMs: number,
  pathway: string,
  changes: Partial<EventOf<'steering'>> = {},
): SessionEvent =>
  event('steering', atMs, {
    policy: 'throughput',
    pathway,
    because: 'A probe says so.',
    values: {},
    ...changes,
  });

/** Returns the session with a policy that chooses between the pathways `main` and `tcp`. */
export const steered = (log: SessionLog): SessionLog => ({
  ...log,
  environment: {
    ...log.environment,
    steering: {
      policy: 'throughput',
      parameters: {},
      pathways: [
        { id: 'main', base: 'https://cdn.example', carries: 'any' },
        { id: 'tcp', base: 'https://tcp.cdn.example', carries: 'tcp' },
      ],
    },
  },
});

/** Returns the session as over a link of the lab that limits UDP to these rates at these session times; null lets it pass. */
export const linked = (
  log: SessionLog,
  udp: readonly (readonly [atMs: number, kbps: number | null])[],
): SessionLog => {
  const { startedAtUnixMs } = log.clock;
  return {
    ...log,
    environment: {
      ...log.environment,
      linkRun: {
        network: 'n',
        seed: 1,
        phaseMs: 0,
        leadInMs: 0,
        addressChanges: [],
        busyDrops: 0,
        startedAtUnixMs,
        playDueAtUnixMs: startedAtUnixMs,
        receivedWireBytes: 12_000_000,
        udpChanges: udp.map(([atMs, kbps]) => ({ atUnixMs: startedAtUnixMs + atMs, kbps })),
      },
    },
  };
};

/** A flow of TCP beside the viewer from one session time to another, with these bytes in each second from 0 on. */
interface FlowBeside {
  readonly fromMs: number;
  readonly toMs: number;
  readonly bytesBySecond: readonly number[];
}

/** Returns the session with flows beside the viewer; seconds are those of session time. */
export const besideFlows = (log: SessionLog, flows: readonly FlowBeside[]): SessionLog => {
  const { startedAtUnixMs } = log.clock;
  return {
    ...log,
    environment: {
      ...log.environment,
      beside: {
        load: `tcp-cubic:flows=${flows.length}`,
        secondsFromUnixMs: startedAtUnixMs,
        flows: flows.map(({ fromMs, toMs, bytesBySecond }) => ({
          transport: 'tcp',
          controller: 'cubic',
          initialWindowPackets: 10,
          paced: true,
          receiveWindowBytes: 16_777_216,
          startedAtUnixMs: startedAtUnixMs + fromMs,
          openedAtUnixMs: startedAtUnixMs + fromMs,
          endedAtUnixMs: startedAtUnixMs + toMs,
          interruptions: [],
          bytesBySecond: [...bytesBySecond],
          missing: {},
        })),
      },
    },
  };
};

/** Returns the session with other viewers, who see these bitrates in each second of session time, over a link of a rate. */
export const besidePlayers = (
  log: SessionLog,
  bitrates: readonly (readonly (number | null)[])[],
  linkKbps: number | null,
): SessionLog => {
  const beside = log.environment.beside ?? besideFlows(log, []).environment.beside!;
  const players = bitrates.map((bitrateKbpsBySecond, index) => ({
    log: `x.beside-${index + 1}.json`,
    rule: 'bola',
    transport: 'h2',
    bitrateKbpsBySecond: [...bitrateKbpsBySecond],
    bytesBySecond: bitrateKbpsBySecond.map((kbps) => 125 * (kbps ?? 0)),
  }));
  const linkKbpsBySecond = Array<number | null>(Math.max(...bitrates.map(({ length }) => length))).fill(
    linkKbps,
  );
  return {
    ...log,
    environment: { ...log.environment, beside: { ...beside, players, linkKbpsBySecond } },
  };
};

/** The example's presentation (manifest, ladder) and these events, with ids of their own. */
export function exampleSession(events: readonly SessionEvent[]): SessionLog {
  const extra = events.map((each, index) => ({ ...each, id: `x${index + 1}` }));
  const log = exampleLog({ segments: 0, extra });
  const endMs = extra.reduce((last, { atMs }) => Math.max(last, atMs), 200);
  return { ...log, parts: [{ ...log.parts[0]!, endMs }] };
}

const SEGMENT_MS = 4000;

/**
 * SYNTHETIC: a long session for tests, made of plain waves, so that every run is the same. Each segment of 4 s brings
 * a video and an audio request with their decisions, 4 buffer samples a second of each, and a playback sample a second.
 * 21,600 segments are a day. It says nothing about any network.
 */
export function* exampleDay(segments: number): Generator<SessionEvent> {
  yield* exampleLog({ segments: 0 }).events;
  yield playback(100, 'play-requested');
  yield playback(400, 'playing');
  for (let segment = 0; segment < segments; segment += 1) {
    const atMs = 500 + segment * SEGMENT_MS;
    yield* pair(segment, 'video', atMs);
    yield* pair(segment, 'audio', atMs + 30);
    yield* samples(atMs);
    if (segment % 7 === 0) yield rung(atMs + 900, rungOf(segment));
    if (segment % 900 === 450) yield stalled(atMs + 100, 1500);
    yield framesSeen(atMs + 3900, (segment + 1) * 100, segment >> 8);
  }
}

const rungOf = (segment: number): 0 | 1 | 2 => (Math.floor(segment / 7) % 3) as 0 | 1 | 2;

function* pair(segment: number, mediaType: 'video' | 'audio', atMs: number): Generator<SessionEvent> {
  const [id, requestId] = [`d-${mediaType}-${segment}`, `r-${mediaType}-${segment}`];
  const chosen = mediaType === 'video' ? rungOf(segment) : 0;
  yield exampleDecision({
    id,
    requestId,
    segment,
    mediaType,
    atMs,
    rung: chosen,
    estimateKbps: 1000 + (segment % 50) * 60,
  });
  const tookMs = 80 + (segment % 23) * 40;
  yield exampleRequest({
    id: requestId,
    segment,
    mediaType,
    rung: chosen,
    // A stretch on TCP in every hour.
    protocol: segment % 900 < 100 ? 'h2' : 'h3',
    atMs,
    startMs: atMs,
    firstByteMs: atMs + 20 + (segment % 11) * 3,
    lastByteMs: atMs + tookMs,
    endMs: atMs + tookMs,
  });
}

function* samples(atMs: number): Generator<SessionEvent> {
  for (let offsetMs = 0; offsetMs < SEGMENT_MS; offsetMs += 250) {
    yield level(atMs + offsetMs, 12_000 - offsetMs, 'video');
    yield level(atMs + offsetMs, 14_000 - offsetMs, 'audio');
    if (offsetMs % 1000 === 0) yield playback(atMs + offsetMs, 'sample');
  }
}

/** The first frame after 0.5 s, then 3 s of stalls in a minute. */
export const stalledSession = exampleSession([
  playback(0, 'play-requested'),
  playback(500, 'playing'),
  rung(500, 1),
  stalled(9000, 3000),
  playback(61_000, 'ended'),
]);

/** A request whose first byte came after 100 ms and its last one after 300 ms. */
export const request = (atMs: number, changes: Partial<RequestEvent> = {}): RequestEvent =>
  exampleRequest({
    atMs,
    startMs: atMs,
    firstByteMs: atMs + 100,
    lastByteMs: atMs + 300,
    endMs: atMs + 300,
    ...changes,
  });
