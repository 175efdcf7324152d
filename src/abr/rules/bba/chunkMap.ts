import { segmentBytes, segmentMsOf, type SegmentSizes } from '../../segmentBytes.ts';
import type { MediaType, Moment, RuleContext, RuleEvent } from '../../rule.ts';
import { aheadFrom, oneLater, reservoirMs, segmentsAhead, type Ahead } from './ahead.ts';
import { cushionOf, type Cushion } from './cushion.ts';
import { stepOnMap, type MapStep } from './stepOnMap.ts';

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
    reservoirMs(ahead, sizes),
    reservoirMinMs,
  );
  const { ladder } = sizes;
  const costKbps = (rung: number): number => (segmentBytes(sizes, segment, rung) * 8) / segmentMs;
  const { rung, mapKbps } = stepOnMap({ ladder, cushion, bufferMs, lastRung, costKbps });
  return { rung, mapKbps, cushion };
}
