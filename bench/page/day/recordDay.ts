import type { Draft } from '../../../src/telemetry/event.ts';
import { seededRandom } from '../../../src/analysis/statistics/random.ts';
import { decisionDraft, requestDraft, type Segment } from './segmentDrafts.ts';
import { BITRATES_KBPS, ladderDrafts } from './ladder.ts';

/**
 * SYNTHETIC: what a telemetry would record of 24 hours of playback, made up by a seeded random walk. It has the
 * number, kinds and sizes of a real log's events, so that memory and redraws can be measured; it says nothing about
 * any network or rule. The same seed gives the same day.
 */
export interface DayOptions {
  readonly seed: number;
  /** Segments per media type; 21,600 of 4 s are 24 h and, with audio, 43,200 requests. */
  readonly segments: number;
  readonly segmentMs: number;
  /** Time between two samples of the buffer (per media type), of playback and of frames, as telemetry records them. */
  readonly sampleEveryMs: { readonly buffer: number; readonly playback: number; readonly frames: number };
}

/** What `telemetry.record` is: it gives the event its id. */
type RecordDraft = (draft: Draft) => { readonly id: string };

const BUFFER_TARGET_MS = 20_000;
/** A stretch on TCP after the browser gave QUIC up, as a share of segments that begin one, and its length. */
const FALLBACK = { chance: 0.002, segments: 75 };
const STALL = { chance: 0.0005, ms: 2400 };

/** Records the day in recording order; pauses after each segment. */
export function* recordDay(options: DayOptions, record: RecordDraft): Generator<void> {
  const random = seededRandom(options.seed);
  let throughputKbps = 3000;
  let tcpUntil = 0;
  let lastRung = 0;
  for (const draft of ladderDrafts(options.segmentMs)) record(draft);
  for (let segment = 0; segment < options.segments; segment += 1) {
    throughputKbps = clamp(throughputKbps * (0.85 + 0.3 * random()) + 30 * (random() - 0.4), 300, 40_000);
    if (random() < FALLBACK.chance) tcpUntil = segment + FALLBACK.segments;
    const at: Segment = {
      segment,
      atMs: segment * options.segmentMs,
      segmentMs: options.segmentMs,
      throughputKbps,
      protocol: segment < tcpUntil ? 'h2' : 'h3',
      lastRung,
      rung: highestWithin(0.9 * throughputKbps),
      bufferTargetMs: BUFFER_TARGET_MS,
      jitter: random(),
    };
    recordSegment(at, record);
    for (const draft of [...samples(at, options), ...incidents(at, random())]) record(draft);
    lastRung = at.rung;
    yield;
  }
}

function recordSegment(at: Segment, record: RecordDraft): void {
  for (const mediaType of ['video', 'audio'] as const) {
    const { id } = record(requestDraft(at, mediaType));
    record(decisionDraft(at, { mediaType, requestId: id }));
  }
}

function samples(at: Segment, { sampleEveryMs, segmentMs }: DayOptions): Draft[] {
  const times = (everyMs: number): number[] =>
    Array.from({ length: Math.floor(segmentMs / everyMs) }, (_, index) => at.atMs + index * everyMs);
  const levelAt = (atMs: number): number => BUFFER_TARGET_MS - (atMs - at.atMs) - 400 * at.jitter;
  const buffers = times(sampleEveryMs.buffer).flatMap((atMs) =>
    (['video', 'audio'] as const).map((mediaType): Draft => ({
      kind: 'buffer',
      atMs,
      mediaType,
      levelMs: levelAt(atMs),
      missing: {},
    })),
  );
  const playback = times(sampleEveryMs.playback).map((atMs): Draft => ({
    kind: 'playback',
    atMs,
    state: 'sample',
    playheadMs: atMs,
    playbackRate: 1,
    liveLatencyMs: null,
    missing: { liveLatencyMs: 'not-applicable' },
  }));
  const frames = times(sampleEveryMs.frames).map((atMs): Draft => ({
    kind: 'frames',
    atMs,
    decoded: Math.round((atMs * 24) / 1000),
    dropped: 0,
    missing: {},
  }));
  return [...buffers, ...playback, ...frames].sort((a, b) => a.atMs - b.atMs);
}

function incidents(at: Segment, luck: number): Draft[] {
  const atMs = at.atMs + at.segmentMs - 1;
  const switches = at.rung === at.lastRung ? [] : [switchDraft(at, 'requested'), switchDraft(at, 'rendered')];
  if (luck >= STALL.chance) return switches;
  return [...switches, { kind: 'stall', atMs, playheadMs: at.atMs, durationMs: STALL.ms, missing: {} }];
}

function switchDraft(at: Segment, phase: 'requested' | 'rendered'): Draft {
  return {
    kind: 'switch',
    atMs: at.atMs + at.segmentMs - 1,
    phase,
    mediaType: 'video',
    fromRung: at.lastRung,
    toRung: at.rung,
    bitrateKbps: BITRATES_KBPS.video[at.rung]!,
    reason: 'synthetic',
    missing: {},
  };
}

function highestWithin(rateKbps: number): number {
  return Math.max(
    0,
    BITRATES_KBPS.video.findLastIndex((bitrateKbps) => bitrateKbps <= rateKbps),
  );
}

const clamp = (value: number, min: number, max: number): number => Math.min(max, Math.max(min, value));
