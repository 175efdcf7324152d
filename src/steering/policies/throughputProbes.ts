/**
 * When the policy `throughput` sends a probe, how large it is, and when it ends. A probe takes from the media beside it, so
 * it is sent where it may change something: playback is in danger, or a higher level could be played.
 */
import type { SteeringAnswer, SteeringMoment } from '../policy.ts';
import {
  FIRST_WINDOW_BYTES,
  mediaFlows,
  mediaKbps,
  probeFlow,
  resultNow,
  type ProbeRecord,
  type State,
} from './throughputState.ts';

export const DEFAULTS = {
  /** A request is judged after this time. */
  graceMs: 1000,
  /** The sum of rates grows by this factor: leave at once. */
  strongFactor: 3,
  /** It grows by this factor in several probes: leave at the next request. */
  weakFactor: 1.7,
  weakProbes: 3,
  /** A pathway that gives less than this share of what the other gave is left. */
  keepShare: 0.8,
  probeBytes: 32_768,
  maxProbeBytes: 98_304,
  /** Share of all bytes that probes may have while playback is not in danger, in %. */
  probePercent: 2,
  /** Pauses double, from the first to the longest: between probes while they are urgent, and before each trial, */
  firstPauseMs: 8000,
  /** Below a minute, so that a pathway that is good again is used again within one. */
  maxPauseMs: 40_000,
  /** and while there is only more to gain. */
  firstGainPauseMs: 30_000,
  maxGainPauseMs: 240_000,
};

export type Settings = typeof DEFAULTS;

/** A choice that is to be made. */
export interface Around {
  readonly state: State;
  readonly moment: SteeringMoment;
  readonly settings: Settings;
  /** The pathway that is not in use, and may be. */
  readonly other: string;
}

/** Whether a probe is worth its bytes now. The first pathway is not probed, but tried. */
export const probeOf = (around: Around): Pick<SteeringAnswer, 'probe'> =>
  around.other !== around.state.pathways[0] && isDoubtDue(around)
    ? { probe: { pathway: around.other, bytes: doubtBytes(around) } }
    : {};

/** Whether the first pathway gives less than can be used, and nothing is known of the other. */
function isDoubtDue(around: Around): boolean {
  const { state, moment, other } = around;
  const doubt = isOldEnough(around) ? doubtOf(state, moment) : null;
  if (doubt === null) return false;
  const record = state.probes[other];
  const confirmAfterMs = record === undefined ? null : confirmMs(record);
  const sinceMs = moment.nowMs - (record?.atMs ?? -Infinity);
  if (confirmAfterMs !== null) return sinceMs >= confirmAfterMs;
  if (!isWorth(around, doubt)) return false;
  return record === undefined || sinceMs >= waitMs(record, doubt, around);
}

const isOldEnough = ({ state, moment, settings }: Around): boolean =>
  mediaFlows(state, moment.pathway).some(({ startMs }) => moment.nowMs - startMs >= settings.graceMs);

/** How long after a probe that showed something the next one follows; null where it showed nothing. */
function confirmMs({ result, wins }: ProbeRecord): number | null {
  if (result === 'hint') return 0;
  return wins > 0 ? CONFIRM_AFTER_MS : null;
}

const CONFIRM_AFTER_MS = 3000;

/** What is wrong with the rate of media. */
interface Doubt {
  readonly nowKbps: number;
  /** Whether playback is in danger; where it is not, there is only more to gain. */
  readonly inDanger: boolean;
  /** Whether the rate is in the lower half of the ladder, by ratios. There a higher level improves the picture most. */
  readonly isLow: boolean;
}

/** Null where the rate is unknown, or more would change nothing. */
function doubtOf(state: State, moment: SteeringMoment): Doubt | null {
  const { lowestKbps, highestKbps } = moment;
  const nowKbps = mediaKbps(state, moment.nowMs);
  if (nowKbps === null) return null;
  const inDanger = isInDanger(state, moment, nowKbps);
  const isLow = nowKbps < Math.sqrt((lowestKbps ?? 0) * (highestKbps ?? 0));
  return inDanger || nowKbps < (highestKbps ?? 0) ? { nowKbps, inDanger, isLow } : null;
}

/** Media arrives too slowly for the lowest bitrate, or the running segment comes too late. */
function isInDanger({ samples }: State, moment: SteeringMoment, nowKbps: number): boolean {
  const { lowestKbps, bufferMs, pathway } = moment;
  if (lowestKbps !== null && nowKbps < lowestKbps) return true;
  const bytes = missingBytes(moment);
  // Until the first segment has come the buffer is empty, and that one would always be late.
  const hasBegun = bufferMs >= MIN_BUFFER_MS || (samples[pathway]?.length ?? 0) > 0;
  return bytes !== null && hasBegun && durationMs(bytes, nowKbps) > Math.max(bufferMs, MIN_BUFFER_MS);
}

/** With less in the buffer, playback stalls, or soon does. */
const MIN_BUFFER_MS = 1000;

/**
 * What has not come yet of the running segments, audio and video; null where none runs, or a length is not known. Then no
 * probe is sent for more to gain alone.
 */
function missingBytes({ running, pathway }: SteeringMoment): number | null {
  const media = running.filter((each) => each.purpose === 'media' && each.pathway === pathway);
  const missing = media.map(({ totalBytes, bytes }) => (totalBytes === null ? NaN : totalBytes - bytes));
  const sum = missing.reduce((total, each) => total + each, 0);
  return media.length === 0 || Number.isNaN(sum) ? null : sum;
}

const durationMs = (bytes: number, kbps: number): number => (8 * bytes) / Math.max(1, kbps);

/** Whether a probe is worth what it costs: bytes, and the time that the running segment comes later. */
const isWorth = (around: Around, doubt: Doubt): boolean =>
  doubt.inDanger || (isPaidFor(around) && (doubt.isLow || isBearable(around, doubt)));

/** Whether one more probe stays within its share of all bytes; the first two are free, because later they could not help. */
function isPaidFor(around: Around): boolean {
  const { probePercent, maxProbeBytes } = around.settings;
  const { mediaBytes, probeBytes } = around.state;
  const mayBytes = (probePercent / 100) * (mediaBytes + probeBytes);
  return probeBytes + doubtBytes(around) <= Math.max(mayBytes, 2 * maxProbeBytes);
}

/** Whether the running segment comes in time even if a probe takes its whole rate for a while, and is not over before it. */
function isBearable(around: Around, { nowKbps }: Doubt): boolean {
  const bytes = missingBytes(around.moment);
  if (bytes === null || durationMs(bytes, nowKbps) < MIN_BESIDE_MS) return false;
  const neededMs = durationMs(bytes + doubtBytes(around), nowKbps);
  return around.moment.bufferMs >= neededMs + MIN_BUFFER_MS;
}

/** A probe needs a round trip before it runs beside media. */
const MIN_BESIDE_MS = 500;

/** How long nothing is probed after a probe that found nothing. */
function waitMs(record: ProbeRecord, doubt: Doubt, around: Around): number {
  // On a network that is always too slow, a probe takes seconds of it, and danger is no news.
  const wasEnough = record.beforeKbps >= (around.moment.lowestKbps ?? 0);
  const isUrgent = doubt.inDanger || doubt.isLow;
  if (wasEnough && isNews(record, doubt) && (isUrgent || isSteady(around, doubt))) return NEWS_AFTER_MS;
  const { settings } = around;
  return pauseMs(record.losses, wasEnough && isUrgent ? urgentPauses(settings) : gainPauses(settings));
}

/** So much less than when the last probe found nothing is news: a limit first lets a burst pass. */
const isNews = ({ beforeKbps }: ProbeRecord, { nowKbps }: Doubt): boolean =>
  nowKbps < beforeKbps / NEWS_FACTOR;

/** Whether the latest segment came at the present rate: one before that tells of the burst. */
const isSteady = ({ state, moment }: Around, { nowKbps }: Doubt): boolean =>
  (state.samples[moment.pathway]?.at(-1)?.kbps ?? 0) < STEADY_FACTOR * nowKbps;

const NEWS_FACTOR = 1.5;
const STEADY_FACTOR = 1.2;
const NEWS_AFTER_MS = 2000;

/** How long nothing is probed or tried after so many losses in succession. */
export const pauseMs = (losses: number, { firstMs, maxMs }: Pauses): number =>
  losses === 0 ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(20, losses - 1));

interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The pauses while playback is in danger or its rate is low, or the first pathway is left. */
export const urgentPauses = ({ firstPauseMs, maxPauseMs }: Settings): Pauses => ({
  firstMs: firstPauseMs,
  maxMs: maxPauseMs,
});

/** The pauses while there is only more to gain. */
const gainPauses = ({ firstGainPauseMs, maxGainPauseMs }: Settings): Pauses => ({
  firstMs: firstGainPauseMs,
  maxMs: maxGainPauseMs,
});

/** Enough to run beside media for a while, if the other pathway is twice as fast. A slow network is first asked for less. */
function doubtBytes({ state, moment, settings, other }: Around): number {
  const nowKbps = mediaKbps(state, moment.nowMs) ?? 0;
  const smallBytes = smallProbeBytes(nowKbps);
  if (smallBytes < FIRST_WINDOW_BYTES && state.probes[other]?.result !== 'hint') return smallBytes;
  return Math.min(
    settings.maxProbeBytes,
    Math.max(settings.probeBytes, Math.round(nowKbps * BYTES_PER_KBPS)),
  );
}

/** So much that a pathway which is three times as fast needs 0.3 s for it, handshakes included. */
const smallProbeBytes = (kbps: number): number => Math.max(MIN_PROBE_BYTES, Math.round(kbps * 112.5));

/** Far more than the headers. */
const MIN_PROBE_BYTES = 8192;

/** 0.6 s at the rate of media. */
const BYTES_PER_KBPS = 75;

/** Ends a probe that has shown enough: what it still took would be taken from media. */
export function endOfProbe(around: Around): Pick<SteeringAnswer, 'endProbe'> {
  const { state, moment, settings } = around;
  const flow = probeFlow(state);
  if (!flow) return {};
  const sinceMs = moment.nowMs - (flow.firstSeenMs ?? flow.startMs);
  const result = resultNow(state, moment.nowMs, settings);
  const isOver =
    flow.firstSeenMs === null
      ? sinceMs >= MAX_SILENCE_MS
      : result === 'strong' || (result === 'worse' && sinceMs >= MAX_SLOW_MS);
  return isOver || isLateSmallProbe(around, moment.nowMs - flow.startMs) ? { endProbe: flow.requestId } : {};
}

/** A probe without any byte has failed by then, and one that is still slow ends. */
const MAX_SILENCE_MS = 4000;
const MAX_SLOW_MS = 1500;

/** Whether the running probe is a small one, and has taken too long to show anything. */
function isLateSmallProbe({ state, settings, other }: Around, elapsedMs: number): boolean {
  const { probe } = state;
  if (!probe || state.probes[other]?.result === 'hint') return false;
  const bytes = smallProbeBytes(probe.beforeKbps);
  return bytes < FIRST_WINDOW_BYTES && elapsedMs > durationMs(bytes, settings.weakFactor * probe.beforeKbps);
}
