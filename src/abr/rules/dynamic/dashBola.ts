import type { BufferAround } from '../../estimators/reckonedBuffer.ts';
import type { DownloadEvent } from '../../rule.ts';
import type { EnhancedLevels } from '../bola/enhancedLevels.ts';
import { placeholderAfter, placeholderAfterAbandon } from '../bola/placeholder.ts';

/** Which of the two main rules dash.js asks, and what its BolaRule remembers. */
export interface DashBola {
  /** BolaRule, not ThroughputRule. */
  readonly inUse: boolean;
  /** Segments that BolaRule was asked for since it began or the last seek. */
  readonly asked: number;
  readonly placeholderMs: number;
}

export const BOLA_UNUSED: DashBola = { inUse: false, asked: 0, placeholderMs: 0 };

/** After a seek BolaRule starts by throughput again; which rule is asked goes by the buffer alone. */
export const bolaAfterSeek = ({ inUse }: DashBola): DashBola => ({ inUse, asked: 0, placeholderMs: 0 });

/** Of the two segments that it is first asked for it says what ThroughputRule would: no segment length is known yet. */
export const bolaIsSteady = ({ asked }: DashBola): boolean => asked >= 2;

/** BolaRule from `switchMs` of buffer on, until the buffer is below half of that (AbrController.js). */
export const bolaInUse = (before: boolean, levelMs: number, switchMs: number): boolean =>
  levelMs >= (before ? switchMs / 2 : switchMs);

interface Loaded {
  readonly download: DownloadEvent;
  readonly around: BufferAround;
  readonly levels: EnhancedLevels | null;
  readonly switchMs: number;
  readonly segmentMs: number;
}

export function bolaAfterDownload(bola: DashBola, loaded: Loaded): DashBola {
  const { around, switchMs, download } = loaded;
  const wasInUse = bolaInUse(bola.inUse, around.atRequestMs, switchMs);
  const stillInUse = bolaInUse(wasInUse, around.beforeMs, switchMs);
  return {
    inUse: bolaInUse(stillInUse, around.next.levelMs, switchMs),
    asked: bola.asked + (wasInUse && !download.aborted ? 1 : 0),
    placeholderMs: placeholderOf(bola, wasInUse, loaded),
  };
}

function placeholderOf(bola: DashBola, wasInUse: boolean, loaded: Loaded): number {
  const { around, download, levels, segmentMs } = loaded;
  const begun = wasInUse || bola.asked > 0;
  // A rung beyond the ladder was chosen from the ladder before.
  if (levels === null || !begun || download.rung >= levels.maxMs.length) return bola.placeholderMs;
  const { rung } = download;
  if (download.aborted)
    return placeholderAfterAbandon(bola.placeholderMs, levels, { rung, bufferMs: around.next.levelMs });
  // While ThroughputRule is asked the placeholder still shrinks, but waits do not count.
  const steady = bolaIsSteady(bola) || !wasInUse;
  return placeholderAfter(bola.placeholderMs, levels, {
    rung,
    around,
    steady,
    withWait: wasInUse,
    segmentMs,
  });
}
