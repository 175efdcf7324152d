import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { Span } from '../playingSpans.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { videoLadder } from '../videoLadder.ts';

/** A stretch at a lower quality than the one before. */
export interface QualityDrop extends Span {
  /** e(q_prev) − e(q): levels of the session's ladder, counted from 1 upwards. */
  readonly levels: number;
}

/**
 * The drops of a session: a drop lasts until the next change of rung, over stalls and pauses, and counts the time in
 * which the picture moved.
 */
export function qualityDrops(log: SessionLog): QualityDrop[] {
  const bitratesKbps = videoLadder(log)?.bitratesKbps ?? [];
  const drops: QualityDrop[] = [];
  let levels = 0;
  let level: number | null = null;
  for (const { fromMs, toMs, bitrateKbps } of renderedSpans(log)) {
    const now = bitratesKbps.indexOf(bitrateKbps);
    if (level !== null && now !== level) levels = level - now;
    level = now;
    if (levels > 0) drops.push({ fromMs, toMs, levels });
  }
  return drops;
}
