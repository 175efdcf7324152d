import type { Ladder } from '../../ladder.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import type { DownloadEvent, RuleEvent } from '../../rule.ts';
import { cushionOf } from './cushion.ts';
import type { ChunkMap, ChunkMapParameters } from './chunkMap.ts';

/** The start-up of BBA-2: one rung up at a time while segments come much faster than they play. */
export interface Ramp {
  /** Over for good (until a seek): only the map counts. */
  readonly over: boolean;
  /** What the last segment added to the buffer, as a share of its length; null before the first. */
  readonly gain: number | null;
  /** That was enough for one rung up. */
  readonly up: boolean;
  readonly lastRung: number | null;
  /** The buffer as the downloads alone would have filled it since the start or the seek, ms. */
  readonly bufferMs: number;
}

interface Surroundings {
  readonly map: ChunkMap;
  readonly parameters: ChunkMapParameters & { readonly rampEmptyGain: number; readonly rampFullGain: number };
}

export const RAMP_START: Ramp = { over: false, gain: null, up: false, lastRung: null, bufferMs: 0 };
const RAMP_OVER: Ramp = { ...RAMP_START, over: true };

export function observedByRamp(ramp: Ramp, event: RuleEvent, around: Surroundings): Ramp {
  if (event.kind === 'seek') return RAMP_START;
  // Rungs of another ladder cannot be compared with those before. (A player tells the first ladder too, right at the start.)
  if (event.kind === 'ladder') return ramp.gain === null ? ramp : RAMP_OVER;
  if (ramp.over || event.kind !== 'download' || event.mediaType !== around.map.mediaType) return ramp;
  return afterDownload(ramp, event, around);
}

function afterDownload(ramp: Ramp, download: DownloadEvent, { map, parameters }: Surroundings): Ramp {
  const segmentMs = segmentMsOf(map.sizes);
  const tookMs = download.lastByteMs - download.startMs;
  const gain = download.aborted ? -1 : 1 - tookMs / segmentMs;
  // The buffer shrinks. Also with the first segment, although an empty buffer cannot: it came too slowly for a ramp.
  if (gain < 0) return RAMP_OVER;
  // The map asked for more than the ramp would have.
  if (ramp.lastRung !== null && download.rung > ramp.lastRung + (ramp.up ? 1 : 0)) return RAMP_OVER;
  const bufferMs = Math.max(ramp.bufferMs - tookMs, 0) + segmentMs;
  return {
    over: false,
    gain,
    up: gain > neededGain(bufferMs, segmentMs, parameters),
    lastRung: download.rung,
    bufferMs,
  };
}

/** 0.875 with an empty buffer, falling to 0.5 where the cushion ends (§6). */
function neededGain(
  bufferMs: number,
  segmentMs: number,
  {
    bufferMaxMs,
    cushionEndShare: endShare,
    reservoirMinMs,
    rampEmptyGain,
    rampFullGain,
  }: Surroundings['parameters'],
): number {
  const scale = { bufferMaxMs, bufferTargetMs: bufferMaxMs, segmentMs, endShare };
  const { endMs } = cushionOf(scale, reservoirMinMs, reservoirMinMs);
  const full = Math.min(bufferMs / endMs, 1);
  return rampEmptyGain + full * (rampFullGain - rampEmptyGain);
}

/** The rung that the start-up wants; null when it is over. */
export function rampRung({ over, gain, up }: Ramp, ladder: Ladder, lastRung: number | null): number | null {
  if (over) return null;
  if (gain === null) return 0;
  return Math.min((lastRung ?? 0) + (up ? 1 : 0), ladder.length - 1);
}
