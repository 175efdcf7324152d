import type { LadderEvent, RequestEvent, StallEvent, FramesEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { SHAPES } from './columns.ts';
import { NO_SCENE, type Scene } from './scene.ts';
import { createMediaSegments, type MediaSegments } from './mediaSegments.ts';
import { createTable, type Table } from './table.ts';

/**
 * A session as columns of numbers: what charts and key figures read, while the full events stay in storage. Grows
 * by `appendEvent`, live or from a file. What the codes mean: `columns.ts`. Measured for 24 h: README.
 */
export interface SessionSeries {
  readonly requests: Table<typeof SHAPES.requests>;
  readonly decisions: Table<typeof SHAPES.decisions>;
  /** Votes of decisions; a decision's lie at `firstVote … firstVote + voteCount - 1`, in the order they were cast. */
  readonly votes: Table<typeof SHAPES.votes>;
  readonly switches: Table<typeof SHAPES.switches>;
  readonly buffer: { readonly video: LevelTable; readonly audio: LevelTable };
  readonly stalls: Table<typeof SHAPES.stalls>;
  readonly seeks: Table<typeof SHAPES.seeks>;
  readonly states: Table<typeof SHAPES.states>;
  /** Where the playhead was at each event of playback, samples included, and to where it was moved. */
  readonly playheads: Table<typeof SHAPES.playheads>;
  /** The video segments that were asked for, each with its own length. */
  readonly mediaSegments: MediaSegments;
  readonly hidden: Table<typeof SHAPES.hidden>;
  readonly races: Table<typeof SHAPES.races>;
  /** While Alt-Svc was marked broken, in time order. */
  readonly broken: BrokenSpan[];
  /** Connections, as their servers reported them. */
  readonly paths: PathSeries[];
  /** Choices of a steering policy that changed something, in time order; empty without steering. */
  readonly steering: SteeringStep[];
  /** What was done to the session from outside. It does not change while a session is shown. */
  readonly scene: Scene;
  /** Greatest of all paths so far; 0 where no source reported it. */
  readonly maxPath: { rttMs: number; cwndBytes: number; cwndPackets: number };
  readonly ladders: LadderSpan[];
  /** Where what a rule knows of segment sizes comes from, as it changes. */
  readonly sizes: SizesSpan[];
  /** Event ids; a row's `ref` is the index. Append-only. */
  readonly ids: string[];
  /** Names of rules (decisions, votes), and of outcomes and causes of races; a code is the index. */
  readonly rules: string[];
  readonly outcomes: string[];
  /** Ids of pathways; the first is empty, for requests that name none. */
  readonly pathways: string[];
  readonly gaps: readonly Gap[];
  readonly frames: FrameCount;
  /** Rule in charge now; null before the first `rule` event. */
  ruleInUse: string | null;
  liveLatencyMs: number | null;
  /** When the browser presented the first frame after play was requested; null: it did not say so. */
  firstFrameMs: number | null;
  live: boolean | null;
  /** Latest moment in any event; a live page moves it on with `advanceTo`. */
  lastMs: number;
  /** Oldest moment that changed since a reader last set this to Infinity: a view before it need not be redrawn. */
  touchedFromMs: number;
  /** Longest request so far, ms: how far back a view must look for one that reaches into it. */
  longestRequestMs: number;
  /** Extremes so far, so that an axis stays where it is; null before the first value. */
  maxLevelMs: number | null;
  latencyMs: { readonly min: number; readonly max: number } | null;
  /** Unfinished now: requests in flight and a stall that goes on. */
  open: { readonly requests: readonly RequestEvent[]; readonly stall: StallEvent | null };
  /** Row up to which a buffer table is thinned already. */
  readonly thinned: { video: number; audio: number };
}

interface BrokenSpan {
  /** Of its event. */
  readonly id: string;
  readonly fromMs: number;
  /** Null: nobody found it usable again. */
  readonly toMs: number | null;
  /** The browser's words; null when unknown. */
  readonly cause: string | null;
}

export interface SteeringStep {
  readonly atMs: number;
  /** The pathway of the requests to come. */
  readonly pathway: string;
  /** The pathway of a probe that began; null without one. */
  readonly probe: string | null;
  /** Id of a running request that was continued over the pathway; null without one. */
  readonly rescuedId: string | null;
  readonly because: string;
}

/** A connection as its server saw it. */
export interface PathSeries {
  readonly protocol: number;
  /** The server's name of it; null for all that have none. */
  readonly connection: string | null;
  /** The source that reported it, and the congestion controller where it is known. */
  teller: string;
  /** True: the origin's log, ten times a second; false: with each response. */
  readonly sampled: boolean;
  readonly table: Table<typeof SHAPES.paths>;
}

type LevelTable = Table<typeof SHAPES.levels>;
export interface LadderSpan {
  readonly fromMs: number;
  readonly mediaType: 'video' | 'audio';
  readonly segmentMs: number | null;
  readonly rungs: readonly Pick<LadderEvent['rungs'][number], 'bitrateKbps' | 'height'>[];
}

export interface SizesSpan {
  readonly fromMs: number;
  readonly mediaType: 'video' | 'audio';
  /** null: nothing is known. */
  readonly from: 'sidx' | 'playlist' | 'side-file' | 'head' | 'table' | null;
}

/** An empty series. `parts` of the header say where recording had gaps, and `scene` what was done from outside. */
export function createSeries(parts: SessionLog['parts'] = [], scene: Scene = NO_SCENE): SessionSeries {
  return {
    ...emptyTables(),
    buffer: { video: createTable(SHAPES.levels), audio: createTable(SHAPES.levels) },
    broken: [],
    paths: [],
    steering: [],
    scene,
    maxPath: { rttMs: 0, cwndBytes: 0, cwndPackets: 0 },
    mediaSegments: createMediaSegments(),
    ladders: [],
    sizes: [],
    ids: [],
    rules: [],
    outcomes: [],
    pathways: [''],
    gaps: gapsOf(parts),
    frames: noFrames(),
    ruleInUse: null,
    liveLatencyMs: null,
    firstFrameMs: null,
    live: null,
    lastMs: 0,
    touchedFromMs: Infinity,
    longestRequestMs: 0,
    maxLevelMs: null,
    latencyMs: null,
    open: { requests: [], stall: null },
    thinned: { video: 0, audio: 0 },
  };
}

function emptyTables() {
  return {
    requests: createTable(SHAPES.requests),
    decisions: createTable(SHAPES.decisions),
    votes: createTable(SHAPES.votes),
    switches: createTable(SHAPES.switches),
    stalls: createTable(SHAPES.stalls),
    seeks: createTable(SHAPES.seeks),
    states: createTable(SHAPES.states),
    playheads: createTable(SHAPES.playheads),
    hidden: createTable(SHAPES.hidden),
    races: createTable(SHAPES.races),
  };
}

/** Frames of a whole session. The element counts from 0 again after a reload: only what was added counts. */
interface FrameCount {
  decoded: number;
  dropped: number;
  seen: { readonly decoded: number; readonly dropped: number } | null;
}

export const noFrames = (): FrameCount => ({ decoded: 0, dropped: 0, seen: null });

export function addFrames(count: FrameCount, { decoded, dropped }: FramesEvent): void {
  const before = count.seen && count.seen.decoded <= decoded ? count.seen : { decoded: 0, dropped: 0 };
  count.decoded += decoded - before.decoded;
  count.dropped += Math.max(0, dropped - before.dropped);
  count.seen = { decoded, dropped };
}

/** Unrecorded time: between a crash or reload and the next page load. */
export interface Gap {
  readonly fromMs: number;
  readonly toMs: number;
}

export const gapsOf = (parts: SessionLog['parts']): Gap[] =>
  parts.flatMap(({ startMs, gapMs }) =>
    gapMs ? [{ fromMs: Math.max(0, startMs - gapMs), toMs: startMs }] : [],
  );
