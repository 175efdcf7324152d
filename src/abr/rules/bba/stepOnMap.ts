import type { Ladder } from '../../ladder.ts';
import type { Cushion } from './cushion.ts';
import { cushionShare } from './cushion.ts';

/** What a buffer level asks for, and the rung that follows from it. */
export interface MapStep {
  readonly rung: number;
  /** What the map gives at this buffer level, kbit/s. */
  readonly mapKbps: number;
}

export interface MapQuestion {
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
