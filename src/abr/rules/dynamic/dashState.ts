import { NO_ESTIMATE, withDownload, type DashEstimate } from '../../estimators/dashEstimate.ts';
import {
  aroundDownload,
  EMPTY_BUFFER,
  type ReckonedBuffer,
  type BufferAround,
} from '../../estimators/reckonedBuffer.ts';
import type { Ladder } from '../../ladder.ts';
import type { DownloadEvent, MediaType, RuleContext, RuleEvent } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import {
  enhancedLevels,
  type EnhancedLevels,
  placeholderAfter,
  placeholderAfterAbandon,
} from '../bola/enhanced.ts';

/** dash.js 5.2.1, core/Settings.js, streaming.abr and streaming.buffer. */
export const DASH_DEFAULTS = {
  /** hybridSwitchBufferTime. */
  hybridSwitchMs: 12_000,
  bufferTimeDefaultMs: 18_000,
  /** throughput.bandwidthSafetyFactor. */
  safetyFactor: 0.9,
  /** insufficientBufferRule: throughputSafetyFactor, segmentIgnoreCount; and the buffer's stallThreshold. */
  insufficientSafetyFactor: 0.7,
  insufficientIgnoredSegments: 2,
  emptyBufferMs: 300,
  /** switchHistoryRule: sampleSize, switchPercentageThreshold. */
  switchSamples: 8,
  switchThreshold: 0.075,
};

export type DashSetting = Readonly<typeof DASH_DEFAULTS>;

/** All that dash.js' rules remember. */
export interface DashState {
  readonly mediaType: MediaType;
  readonly live: boolean;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  /** null for a ladder with nothing to choose. */
  readonly levels: EnhancedLevels | null;
  readonly estimate: DashEstimate;
  readonly buffer: ReckonedBuffer;
  readonly bola: DashBola;
  readonly history: SwitchHistory;
  readonly lastRung: number | null;
  /** Segments loaded since the start or the last seek. */
  readonly loaded: number;
}

export const dashState = (context: RuleContext, { bufferTimeDefaultMs }: DashSetting): DashState => ({
  mediaType: context.mediaType,
  live: context.live,
  ladder: context.ladder,
  segmentMs: segmentMsOf(context),
  levels: enhancedLevels(context.ladder, bufferTimeDefaultMs, 1),
  estimate: NO_ESTIMATE,
  buffer: EMPTY_BUFFER,
  bola: BOLA_UNUSED,
  history: [],
  lastRung: null,
  loaded: 0,
});

export function observed(state: DashState, event: RuleEvent, setting: DashSetting): DashState {
  switch (event.kind) {
    case 'download':
      return event.mediaType === state.mediaType ? afterDownload(state, event, setting) : state;
    case 'stall':
      return { ...state, bola: { ...state.bola, inUse: false, placeholderMs: 0 } };
    case 'seek':
      return { ...state, bola: bolaAfterSeek(state.bola), buffer: EMPTY_BUFFER, loaded: 0 };
    case 'ladder':
      return {
        ...state,
        ladder: event.ladder,
        segmentMs: segmentMsOf(event),
        levels: enhancedLevels(event.ladder, setting.bufferTimeDefaultMs, 1),
        bola: bolaAfterSeek(state.bola),
        history: [],
        lastRung: null,
      };
    default:
      return state;
  }
}

function afterDownload(state: DashState, download: DownloadEvent, setting: DashSetting): DashState {
  const { mediaType, live, ladder, segmentMs, levels, lastRung } = state;
  const around = aroundDownload(state.buffer, download, segmentMs);
  const switchMs = setting.hybridSwitchMs;
  return {
    mediaType,
    live,
    ladder,
    segmentMs,
    levels,
    estimate: withDownload(state.estimate, download),
    buffer: around.next,
    bola: bolaAfterDownload(state.bola, { download, around, levels, switchMs, segmentMs }),
    history: historyAfter(state.history, download, { lastRung, size: setting.switchSamples }),
    lastRung: download.rung,
    loaded: state.loaded + (download.aborted ? 0 : 1),
  };
}

/** dash.js forgets the switches when a request is abandoned. */
function historyAfter(
  history: SwitchHistory,
  { aborted, rung }: DownloadEvent,
  { lastRung, size }: { lastRung: number | null; size: number },
): SwitchHistory {
  if (aborted) return [];
  return lastRung === null ? history : withSwitch(history, { from: lastRung, to: rung }, size);
}

/** Which of the two main rules dash.js asks, and what its BolaRule remembers. */
interface DashBola {
  /** Whether dash.js asks BolaRule, not ThroughputRule. */
  readonly inUse: boolean;
  /** Segments that BolaRule was asked for since it began or the last seek. */
  readonly asked: number;
  readonly placeholderMs: number;
}

const BOLA_UNUSED: DashBola = { inUse: false, asked: 0, placeholderMs: 0 };

/** After a seek BolaRule starts by throughput again; which rule is asked goes by the buffer alone. */
const bolaAfterSeek = ({ inUse }: DashBola): DashBola => ({ inUse, asked: 0, placeholderMs: 0 });

/** Tells whether BolaRule chooses by itself. For its first two segments it knows no length and chooses as ThroughputRule. */
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

function bolaAfterDownload(bola: DashBola, loaded: Loaded): DashBola {
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

/** dash.js' SwitchHistoryRule: a rung that was often left for a lower one is not used for a while. */
export type SwitchHistory = readonly PastSwitch[];

/** From which rung a request came, and whether it went to a lower one. */
interface PastSwitch {
  readonly rung: number;
  readonly dropped: boolean;
}

export function withSwitch(
  history: SwitchHistory,
  { from, to }: { from: number; to: number },
  size: number,
): SwitchHistory {
  const next = history.slice(history.length < size ? 0 : 1);
  next.push({ rung: from, dropped: to < from });
  return next;
}

interface SwitchLimits {
  readonly size: number;
  /** Drops per request that did not drop, above which a rung is too high. */
  readonly threshold: number;
}

/**
 * The highest rung that the history allows; null for no opinion. Sums drops from the lowest rung up, once `size` requests
 * are seen; where there are too many, one below that rung if it was itself left, else that rung.
 */
export function historyCap(history: SwitchHistory, { size, threshold }: SwitchLimits): number | null {
  if (!history.some(({ dropped }) => dropped)) return null;
  const highest = Math.max(...history.map(({ rung }) => rung));
  for (let rung = 0; rung <= highest; rung += 1) {
    const { drops, stays } = countUpTo(history, rung);
    if (drops + stays >= size && drops > threshold * stays) {
      const left = history.some((past) => past.rung === rung && past.dropped);
      return left && rung > 0 ? rung - 1 : rung;
    }
  }
  return null;
}

function countUpTo(history: SwitchHistory, rung: number): { drops: number; stays: number } {
  let drops = 0;
  let stays = 0;
  for (const past of history) {
    if (past.rung > rung) continue;
    if (past.dropped) drops += 1;
    else stays += 1;
  }
  return { drops, stays };
}
