import { segmentBytes, segmentMsOf, type SegmentSizes } from '../../segmentBytes.ts';
import type { MediaType, Moment, RuleContext, RuleEvent } from '../../rule.ts';
import type { Ladder } from '../../ladder.ts';

/** What BBA-1 and BBA-2 know: the sizes they may look up, and the sum of those that come next. */
export interface ChunkMap {
  readonly mediaType: MediaType;
  readonly sizes: SegmentSizes;
  readonly count: number;
  readonly ahead: Ahead;
}

/** A type, no interface: it is passed where parameters of any name are. */
export type ChunkMapParameters = {
  readonly bufferMaxMs: number;
  readonly reservoirMinMs: number;
  readonly lookAheadMs: number;
  readonly cushionEndShare: number;
};

export interface ChunkStep extends MapStep {
  readonly cushion: Cushion;
}

/** Huang et al. 2014 §5.1 at a buffer of 60 s in place of 240 s: what was a share stays one, 8 s of reservoir stay 8 s. */
export const CHUNK_MAP_DEFAULTS = {
  bufferMaxMs: 60_000,
  reservoirMinMs: 8000,
  lookAheadMs: 120_000,
  cushionEndShare: 0.9,
};

export function chunkMapOf(context: RuleContext, { lookAheadMs }: ChunkMapParameters): ChunkMap {
  const { mediaType, ladder, segmentMs, sizeBytes } = context;
  const sizes = { ladder, segmentMs, sizeBytes };
  const count = segmentsAhead(segmentMs, lookAheadMs);
  return { mediaType, sizes, count, ahead: aheadFrom(sizes, 0, count) };
}

export function observedByMap(map: ChunkMap, event: RuleEvent, parameters: ChunkMapParameters): ChunkMap {
  switch (event.kind) {
    case 'download':
      return event.mediaType === map.mediaType && !event.aborted ? movedOn(map, event.segment) : map;
    case 'sizes':
      return event.rung === 0 ? withAhead(map, aheadFrom(map.sizes, map.ahead.from, map.count)) : map;
    case 'ladder':
      return ofLadder(map, event, parameters);
    default:
      return map;
  }
}

function movedOn(map: ChunkMap, loaded: number | null): ChunkMap {
  const { ahead, sizes, count } = map;
  const next =
    loaded === null || loaded === ahead.from
      ? oneLater(ahead, sizes, count)
      : aheadFrom(sizes, loaded + 1, count);
  return withAhead(map, next);
}

function ofLadder(
  { mediaType, sizes: { sizeBytes }, ahead: { from } }: ChunkMap,
  { ladder, segmentMs }: RuleEvent & { kind: 'ladder' },
  { lookAheadMs }: ChunkMapParameters,
): ChunkMap {
  const sizes = { ladder, segmentMs, sizeBytes };
  const count = segmentsAhead(segmentMs, lookAheadMs);
  return { mediaType, sizes, count, ahead: aheadFrom(sizes, from, count) };
}

const withAhead = ({ mediaType, sizes, count }: ChunkMap, ahead: Ahead): ChunkMap => ({
  mediaType,
  sizes,
  count,
  ahead,
});

/** BBA-1's answer: Algorithm 1 with the sizes of the next segment as barriers (§5.1, Fig. 14). */
export function stepOnChunkMap(map: ChunkMap, moment: Moment, parameters: ChunkMapParameters): ChunkStep {
  const { sizes, count } = map;
  const { segment, bufferMs, bufferTargetMs, lastRung } = moment;
  const ahead = segment === null || segment === map.ahead.from ? map.ahead : aheadFrom(sizes, segment, count);
  const segmentMs = segmentMsOf(sizes);
  const { bufferMaxMs, cushionEndShare: endShare, reservoirMinMs } = parameters;
  const cushion = cushionOf(
    { bufferMaxMs, bufferTargetMs, segmentMs, endShare },
    wishedReservoirMs(ahead, sizes),
    reservoirMinMs,
  );
  const { ladder } = sizes;
  const costKbps = (rung: number): number => (segmentBytes(sizes, segment, rung) * 8) / segmentMs;
  const { rung, mapKbps } = stepOnMap({ ladder, cushion, bufferMs, lastRung, costKbps });
  return { rung, mapKbps, cushion };
}

/** What a buffer level asks for, and the rung that follows from it. */
interface MapStep {
  readonly rung: number;
  /** What the map gives at this buffer level, kbit/s. */
  readonly mapKbps: number;
}

interface MapQuestion {
  readonly ladder: Ladder;
  readonly cushion: Cushion;
  readonly bufferMs: number;
  readonly lastRung: number | null;
  /** What a rung costs, kbit/s: its bitrate in BBA-0, the rate of its next segment in BBA-1 and BBA-2. */
  readonly costKbps: (rung: number) => number;
}

/**
 * Algorithm 1 of Huang et al. 2014: the rung stays until the map reaches the next one up or falls to the next one
 * down; then it is the highest below, or the lowest above, what the map gives.
 */
export function stepOnMap(question: MapQuestion): MapStep {
  const { ladder, cushion, bufferMs } = question;
  const top = ladder.length - 1;
  const lowKbps = ladder[0]!.bitrateKbps;
  const mapKbps = lowKbps + cushionShare(cushion, bufferMs) * (ladder[top]!.bitrateKbps - lowKbps);
  if (bufferMs <= cushion.reservoirMs) return { rung: 0, mapKbps };
  return { rung: bufferMs >= cushion.endMs ? top : within(question, mapKbps), mapKbps };
}

function within({ ladder, lastRung, costKbps }: MapQuestion, mapKbps: number): number {
  const top = ladder.length - 1;
  const last = Math.min(lastRung ?? 0, top);
  if (last < top && mapKbps >= costKbps(last + 1)) {
    for (let rung = top; rung > last; rung -= 1) if (costKbps(rung) < mapKbps) return rung;
    return last;
  }
  if (last > 0 && mapKbps <= costKbps(last - 1)) {
    for (let rung = 0; rung < last; rung += 1) if (costKbps(rung) > mapKbps) return rung;
  }
  return last;
}

/** Where the map from buffer to rate is sloped: below it the lowest rung, above it the highest (Huang 2014, Fig. 5). */
export interface Cushion {
  /** End of the reservoir, ms of buffer. */
  readonly reservoirMs: number;
  /** Where the map reaches the top rung, ms of buffer. */
  readonly endMs: number;
}

interface BufferScale {
  /** Buffer that the map is made for, ms; the paper's is 240 s. */
  readonly bufferMaxMs: number;
  /** Where the player stops filling, ms. */
  readonly bufferTargetMs: number;
  readonly segmentMs: number;
  /** Share of the buffer at which the cushion ends. */
  readonly endShare: number;
}

/** Largest dynamic reservoir: 140 of 240 s (§5.1); 35 of 60 s. */
const RESERVOIR_SHARE = 140 / 240;

/**
 * A player asks while one more segment still fits below its target. A cushion that ends half a segment before that
 * level is passed in practice, so that the top rung can be reached.
 */
const SEGMENTS_BELOW_TARGET = 1.5;

/** The buffer that the map may count on, ms: a player that stops filling earlier never gets to the rest of the map. */
const usableBufferMs = ({ bufferMaxMs, bufferTargetMs }: BufferScale): number =>
  bufferTargetMs > 0 ? Math.min(bufferMaxMs, bufferTargetMs) : bufferMaxMs;

/** The cushion for a wished reservoir, which is kept within [`reservoirMinMs`, 35 of 60 s] as far as the buffer allows. */
export function cushionOf(scale: BufferScale, wishedMs: number, reservoirMinMs: number): Cushion {
  const bufferMs = usableBufferMs(scale);
  const reachableMs = Math.max(bufferMs - SEGMENTS_BELOW_TARGET * scale.segmentMs, bufferMs / 2);
  const endMs = Math.min(scale.endShare * bufferMs, reachableMs);
  const maxMs = Math.min(RESERVOIR_SHARE * bufferMs, endMs);
  const minMs = Math.min(reservoirMinMs, maxMs / 2);
  return { reservoirMs: Math.min(Math.max(wishedMs, minMs), maxMs), endMs };
}

/** How full the cushion is at a buffer level: 0 at the end of the reservoir and below, 1 at its own end and above. */
export function cushionShare({ reservoirMs, endMs }: Cushion, bufferMs: number): number {
  if (bufferMs <= reservoirMs) return 0;
  return bufferMs >= endMs ? 1 : (bufferMs - reservoirMs) / (endMs - reservoirMs);
}

/**
 * The segments of the lowest rung that come next, for the dynamic reservoir: how much more or less than bitrate ×
 * duration they hold. Moves along with the download by one segment in, one out, so a decision does not sum anew.
 */
interface Ahead {
  /** The segment that comes next; null when not known. */
  readonly from: number | null;
  /** Bytes of the segments ahead whose size is known; `known` counts these segments. */
  readonly knownBytes: number;
  readonly known: number;
}

/** Maximum number of segments that are looked ahead, whatever their length. */
const MAX_SEGMENTS = 600;

/** How many segments play for `lookAheadMs`; none while their length is unknown. */
export const segmentsAhead = (segmentMs: number, lookAheadMs: number): number =>
  segmentMs > 0 ? Math.min(Math.round(lookAheadMs / segmentMs), MAX_SEGMENTS) : 0;

export function aheadFrom(sizes: SegmentSizes, from: number | null, count: number): Ahead {
  if (from === null) return { from, knownBytes: 0, known: 0 };
  let knownBytes = 0;
  let known = 0;
  for (let segment = from; segment < from + count; segment += 1) {
    const bytes = sizes.sizeBytes(segment, 0) ?? 0;
    if (bytes > 0) known += 1;
    knownBytes += bytes;
  }
  return { from, knownBytes, known };
}

/** Returns the known sizes of the segments ahead of the next segment, from those ahead of the present one. */
export function oneLater(ahead: Ahead, sizes: SegmentSizes, count: number): Ahead {
  const { from } = ahead;
  if (from === null || count === 0) return ahead;
  const gone = sizes.sizeBytes(from, 0) ?? 0;
  const come = sizes.sizeBytes(from + count, 0) ?? 0;
  return {
    from: from + 1,
    knownBytes: ahead.knownBytes - gone + come,
    known: ahead.known - (gone > 0 ? 1 : 0) + (come > 0 ? 1 : 0),
  };
}

/**
 * The dynamic reservoir before it is clipped (§5.1): how much longer the segments ahead take to load at exactly the
 * lowest bitrate than to play, ms. A segment of unknown size counts as bitrate × duration, that is for nothing.
 */
export function wishedReservoirMs({ knownBytes, known }: Ahead, { ladder, segmentMs }: SegmentSizes): number {
  return (knownBytes * 8) / ladder[0]!.bitrateKbps - known * segmentMs;
}
