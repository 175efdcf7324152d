import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type {
  BufferEvent,
  DecisionEvent,
  EventKind,
  EventOf,
  LadderEvent,
  PlaybackEvent,
  RequestEvent,
  RuleInputEvent,
  TransportEvent,
} from '../../telemetry/event.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { appendSampledPath, appendReportedPath } from './appendPaths.ts';
import { AUDIO, codeIn, laneCode, OTHER, OUTCOMES, STATES } from './columns.ts';
import { addMediaSegment } from './mediaSegments.ts';
import { NO_SCENE, sceneOf } from './scene.ts';
import { addFrames, createSeries, type SessionSeries } from './series.ts';
import { protocolCode, protocolOf } from '../transport/protocol.ts';
import { insertRow, keepRows, rowAfter, type Table } from './table.ts';

/** Adds one finished event. Costs the same after 24 h as after a minute. */
export function appendEvent(series: SessionSeries, event: SessionEvent): void {
  const fold = FOLD[event.kind] as ((series: SessionSeries, event: SessionEvent) => void) | undefined;
  fold?.(series, event);
  series.touchedFromMs = Math.min(series.touchedFromMs, event.atMs);
  advanceTo(series, event.atMs);
}

/** The series of a whole log: the same fold as live. */
export function seriesOf(
  log: Pick<SessionLog, 'parts' | 'events'> & Partial<Pick<SessionLog, 'environment' | 'clock'>>,
): SessionSeries {
  const { environment, clock } = log;
  const series = createSeries(log.parts, environment && clock ? sceneOf({ environment, clock }) : NO_SCENE);
  for (const event of [...log.events].sort((a, b) => a.atMs - b.atMs)) appendEvent(series, event);
  return series;
}

/** Says what is unfinished now (`telemetry.openEvents()`); replaces what was said before. */
export function setOpenEvents(series: SessionSeries, events: readonly SessionEvent[]): void {
  series.open = {
    requests: events.filter((event) => event.kind === 'request'),
    stall: events.find((event) => event.kind === 'stall') ?? null,
  };
  for (const event of events)
    if (event.kind === 'transport' && event.races.length > 0) appendEvent(series, event);
}

/** The session's clock went on, though nothing may have happened. */
export function advanceTo(series: SessionSeries, nowMs: number): void {
  series.lastMs = Math.max(series.lastMs, nowMs);
}

type Fold = { readonly [Kind in EventKind]?: (series: SessionSeries, event: EventOf<Kind>) => void };

/** Folds one event into the tables of a series. Kinds that no chart or figure reads are left out. */
const FOLD: Fold = {
  request: appendRequest,
  decision: appendDecision,
  buffer: appendBuffer,
  playback: appendPlayback,
  frames: ({ frames }, event) => addFrames(frames, event),
  ladder: appendLadder,
  'rule-input': appendInput,
  transport: appendTransport,
  manifest: (series, { type }) => void (series.live = type === 'dynamic'),
  rule: (series, { rule }) => void (series.ruleInUse = rule),
  stall: (series, { atMs, durationMs, stands }) => {
    insertRow(series.stalls, { atMs, durationMs: orNaN(durationMs), sound: Number(stands === 'sound') });
    series.lastMs = Math.max(series.lastMs, atMs + (durationMs ?? 0));
  },
  seek: (series, { atMs, waitMs, toMs }) => {
    insertRow(series.seeks, { atMs, waitMs: orNaN(waitMs) });
    insertRow(series.playheads, { atMs, playheadMs: toMs, rate: NaN });
  },
  jump: ({ playheads }, { atMs, toMs }) => insertRow(playheads, { atMs, playheadMs: toMs, rate: NaN }),
  steering: ({ steering }, { atMs, pathway, probe, rescue, because }) =>
    void steering.push({
      atMs,
      pathway,
      probe: probe?.pathway ?? null,
      rescuedId: rescue?.requestId ?? null,
      because,
    }),
  visibility: (series, { atMs, hidden }) => insertRow(series.hidden, { atMs, hidden: Number(hidden) }),
  switch: (series, { atMs, toRung, bitrateKbps, mediaType, phase }) =>
    insertRow(series.switches, {
      atMs,
      rung: toRung,
      bitrateKbps,
      lane: laneCode(mediaType),
      rendered: Number(phase === 'rendered'),
    }),
};

function appendRequest(series: SessionSeries, event: RequestEvent): void {
  const atMs = event.startMs ?? event.atMs;
  const endMs = orNaN(event.lastByteMs ?? event.endMs);
  insertRow(series.requests, {
    atMs,
    firstByteMs: orNaN(event.firstByteMs),
    endMs,
    sizeBytes: orNaN(event.receivedBytes),
    bitrateKbps: orNaN(event.bitrateKbps),
    rung: orNaN(event.rung),
    ...placeOf(event),
    protocol: protocolCode(protocolOf(event.protocol)),
    outcome: OUTCOMES.indexOf(event.outcome ?? 'unknown'),
    carriedBytes: orNaN(carriedBytes(event)),
    pathway: codeIn(series.pathways, event.pathway ?? ''),
    ref: series.ids.push(event.id) - 1,
  });
  addMediaSegment(series.mediaSegments, event);
  appendReportedPath(series, event);
  if (event.firstByteMs !== null && event.firstByteMs > atMs) widenLatency(series, event.firstByteMs - atMs);
  if (Number.isNaN(endMs)) return;
  series.longestRequestMs = Math.max(series.longestRequestMs, endMs - atMs);
  series.lastMs = Math.max(series.lastMs, endMs);
}

/** Lane and number within it; the downloads of a stream are counted with their ranges. */
function placeOf({ type, mediaType, segment, transfer }: RequestEvent): { lane: number; segment: number } {
  if (transfer)
    return {
      lane: Math.min(transfer.stream, AUDIO),
      segment: transfer.object * transfer.parts + transfer.part,
    };
  return { lane: type === 'media' ? laneCode(mediaType) : OTHER, segment: orNaN(segment) };
}

function widenLatency(series: SessionSeries, ms: number): void {
  const { min, max } = series.latencyMs ?? { min: ms, max: ms };
  if (series.latencyMs && ms >= min && ms <= max) return;
  series.latencyMs = { min: Math.min(min, ms), max: Math.max(max, ms) };
}

function appendDecision(series: SessionSeries, event: DecisionEvent): void {
  const firstVote = series.votes.length;
  const { atMs } = event;
  insertRow(series.decisions, {
    atMs,
    rung: orNaN(event.rung),
    bitrateKbps: orNaN(event.bitrateKbps),
    estimateKbps: orNaN(event.estimateKbps),
    bufferMs: event.moment.bufferMs,
    bufferTargetMs: event.moment.bufferTargetMs,
    segment: orNaN(event.segment),
    lane: laneCode(event.mediaType),
    rule: codeIn(series.rules, event.rule),
    firstVote,
    voteCount: event.votes.length,
    ref: series.ids.push(event.id) - 1,
  });
  // Votes are found by `firstVote`, not by time: counting up keeps them in the order they were cast.
  event.votes.forEach(({ rule, rung, asked }, index) =>
    insertRow(series.votes, {
      atMs: firstVote + index,
      rule: codeIn(series.rules, rule),
      rung: orNaN(rung),
      asked: Number(asked),
    }),
  );
}

/** What all tracks have is as much as can play: it stands where the video's level does. */
function appendBuffer(series: SessionSeries, { mediaType, atMs, levelMs }: BufferEvent): void {
  const lane = mediaType ?? 'video';
  insertRow(series.buffer[lane], { atMs, levelMs });
  series.maxLevelMs = Math.max(series.maxLevelMs ?? 0, levelMs);
  thinBuffer(series, lane);
}

function appendPlayback(
  series: SessionSeries,
  { state, atMs, playheadMs, playbackRate, liveLatencyMs }: PlaybackEvent,
): void {
  series.liveLatencyMs = liveLatencyMs ?? series.liveLatencyMs;
  if (state === 'first-frame') series.firstFrameMs ??= atMs;
  insertRow(series.playheads, { atMs, playheadMs, rate: playbackRate });
  const code = STATES.findIndex((known) => known === state);
  if (code !== -1) insertRow(series.states, { atMs, state: code });
}

function appendLadder({ ladders }: SessionSeries, { atMs, mediaType, segmentMs, rungs }: LadderEvent): void {
  const span = {
    fromMs: atMs,
    mediaType,
    segmentMs,
    rungs: rungs.map(({ bitrateKbps, height }) => ({ bitrateKbps, height })),
  };
  const last = ladders.filter((each) => each.mediaType === mediaType).at(-1);
  const same = last && JSON.stringify({ ...last, fromMs: 0 }) === JSON.stringify({ ...span, fromMs: 0 });
  if (!same) ladders.push(span);
}

/** A ladder ends what was known of sizes (`LadderEvent` of src/abr/rule.ts). */
function appendInput({ sizes }: SessionSeries, { atMs, mediaType, input }: RuleInputEvent): void {
  if (input.kind !== 'sizes' && input.kind !== 'ladder') return;
  const from = input.kind === 'sizes' ? input.from : null;
  const last = sizes.filter((each) => each.mediaType === mediaType).at(-1);
  if ((last?.from ?? null) !== from) sizes.push({ fromMs: atMs, mediaType, from });
}

function appendTransport(series: SessionSeries, event: TransportEvent): void {
  const { races, atMs, source, requestId } = event;
  appendSampledPath(series, event);
  for (const race of races)
    if (race.outcome === 'broken' && requestId === null) setBroken(series, event, race);
    else
      insertRow(series.races, {
        atMs: race.startMs ?? atMs,
        endMs: orNaN(race.endMs),
        outcome: codeIn(series.outcomes, race.outcome),
        waitedUntilMs: orNaN((race.mainDelayMs ?? 0) > 0 ? (race.mainResumedMs ?? race.endMs) : null),
        orphanEndMs: orNaN(race.orphanEndMs ?? null),
        died: Number((race.netError ?? ABORTED) !== ABORTED),
        netLog: Number(source === 'netlog'),
        cause: race.cause ? codeIn(series.outcomes, race.cause) : 0,
      });
}

/** Chromium's net error of a request that the page itself gave up. */
const ABORTED = -3;

/** A period that goes on is told again and again. */
function setBroken(
  { broken }: SessionSeries,
  { id, atMs }: TransportEvent,
  { startMs, endMs, cause }: TransportEvent['races'][number],
): void {
  const span = { id, fromMs: startMs ?? atMs, toMs: endMs, cause: cause ?? null };
  const known = broken.find((each) => each.id === id);
  if (known) Object.assign(known, span);
  else broken.push(span);
}

/** Null as a column says it. */
const orNaN = (value: number | null): number => value ?? NaN;

/** Full resolution for the last 10 minutes, which is what people look at while it plays. */
const RECENT_MS = 10 * 60_000;
const BIN_MS = 1000;
/** Thinning in batches keeps the cost per event constant. */
const BATCH_ROWS = 2048;

/** Thins what is older than 10 minutes to the least and the greatest level of each second, in their order. */
function thinBuffer(series: SessionSeries, mediaType: 'video' | 'audio'): void {
  const table = series.buffer[mediaType];
  const from = Math.min(series.thinned[mediaType], table.length);
  const newest = table.columns.atMs[table.length - 1] ?? 0;
  if (table.length - from < BATCH_ROWS) return;
  const to = rowAfter(table, newest - RECENT_MS);
  if (to - from < BATCH_ROWS / 2) return;
  const extremes = extremesPerBin(table, from, to);
  const rest = Array.from({ length: table.length - to }, (_, index) => to + index);
  keepRows(table, from, [...extremes, ...rest]);
  series.thinned[mediaType] = from + extremes.length;
}

function extremesPerBin(
  table: Table<{ atMs: Float64ArrayConstructor; levelMs: Float32ArrayConstructor }>,
  from: number,
  to: number,
): number[] {
  const { atMs, levelMs } = table.columns;
  const keep: number[] = [];
  for (let row = from; row < to;) {
    const bin = Math.floor(atMs[row]! / BIN_MS);
    let min = row;
    let greatest = row;
    for (; row < to && Math.floor(atMs[row]! / BIN_MS) === bin; row += 1) {
      if (levelMs[row]! < levelMs[min]!) min = row;
      if (levelMs[row]! > levelMs[greatest]!) greatest = row;
    }
    keep.push(Math.min(min, greatest));
    if (min !== greatest) keep.push(Math.max(min, greatest));
  }
  return keep;
}
