/**
 * What the policy `throughput` knows in a session: the rates of media by pathway, and what probes have shown. A probe is
 * judged by the sum of its rate and that of media beside it.
 */
import { flowsAfter, kbpsBetween, recentKbps, withPoint, type Flow } from '../flows.ts';
import type { RequestBegan, RequestEnded, SteeringContext, SteeringEvent } from '../policy.ts';

export interface State {
  readonly pathways: readonly string[];
  readonly flows: readonly Flow[];
  /** What each pathway gave while its latest media requests ran, oldest first. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  /** What probes over each pathway have shown, and trials of it. */
  readonly probes: Readonly<Record<string, ProbeRecord>>;
  /** The probe that runs, or has ended and is not judged yet. */
  readonly probe: Probe | null;
  /** The pathway of the last media request, and since when it is used. */
  readonly used: { readonly pathway: string; readonly sinceMs: number } | null;
  readonly failedAtMs: Readonly<Record<string, number>>;
  readonly mediaBytes: number;
  readonly probeBytes: number;
}

export interface Sample {
  readonly atMs: number;
  readonly kbps: number;
}

interface Probe {
  readonly requestId: string;
  readonly pathway: string;
  /** Rate of media when the probe began, in kbit/s. */
  readonly beforeKbps: number;
  /** Media requests that have ended since the probe began. */
  readonly besides: readonly Flow[];
  /** Time and rate of the probe when it ended; null while it runs. */
  readonly ended: { readonly fromMs: number; readonly untilMs: number; readonly kbps: number } | null;
}

export interface ProbeRecord {
  /** End of the last probe; `beforeKbps` is the rate of media before it (for a left pathway: over that pathway), in kbit/s. */
  readonly atMs: number;
  readonly beforeKbps: number;
  /** Result of the last probe. */
  readonly result: ProbeResult;
  /** Number of probes in succession that showed that the pathway is better. */
  readonly wins: number;
  /** Number of probes in succession that did not; or how often in succession the pathway was left soon after a new use. */
  readonly losses: number;
}

/**
 * `strong`: many times better; `weak`: better; `worse`: not better. `hint`: a small probe came so soon that a larger one is
 * worth its bytes.
 */
type ProbeResult = 'strong' | 'weak' | 'worse' | 'hint';

/** What the sum of rates must grow by for each result. */
interface Factors {
  readonly strongFactor: number;
  readonly weakFactor: number;
}

const RATE_WINDOW_MS = 1200;
/** Number of a pathway's latest media requests that are kept. */
export const MAX_SAMPLES = 3;
/** How long counts what another pathway gave. */
const FRESH_MS = 60_000;

export const startState = ({ pathways }: SteeringContext): State => ({
  pathways: pathways.map(({ id }) => id),
  flows: [],
  samples: {},
  probes: {},
  probe: null,
  used: null,
  failedAtMs: {},
  mediaBytes: 0,
  probeBytes: 0,
});

/** The state after an event. */
export function observe(state: State, event: SteeringEvent, factors: Factors): State {
  if (event.kind === 'network-change') return { ...state, samples: {}, probes: {}, failedAtMs: {} };
  const next = { ...state, flows: flowsAfter(state.flows, event) };
  if (event.kind === 'began')
    return event.purpose === 'probe' ? beginProbe(next, event) : usePathway(next, event);
  if (event.kind === 'progress') return judgeProbe(next, event.atMs, factors);
  if (event.purpose === 'media')
    return judgeProbe(addSample(withBeside(next, event, state.flows), event), event.atMs, factors);
  const { probe } = state;
  return probe && isSmallProbe(event)
    ? endSmallProbe(next, { probe, event }, factors)
    : judgeProbe(endProbe(next, event, state.flows), event.atMs, factors);
}

function beginProbe(state: State, { pathway, requestId, atMs }: RequestBegan): State {
  const beforeKbps = mediaKbps(state, atMs) ?? usedKbps(state, atMs) ?? 0;
  return { ...state, probe: { requestId, pathway, beforeKbps, besides: [], ended: null } };
}

/** Keeps a media request that has ended for the probe that ran beside it: only what came at the same time may be added. */
function withBeside(state: State, event: RequestEnded, flowsBefore: readonly Flow[]): State {
  const { probe } = state;
  const flow = flowsBefore.find(({ requestId }) => requestId === event.requestId);
  if (!probe || !flow) return state;
  const ended = withPoint(flow, { atMs: event.lastByteMs, bytes: event.bytes });
  return { ...state, probe: { ...probe, besides: [...probe.besides, ended] } };
}

/**
 * The media requests that run, and where none does, those that ended beside the probe. Where one has ended and the next runs,
 * only that one counts, which is less than the truth: a pathway is not left for a pause between two segments.
 */
function mediaBeside(state: State): readonly Flow[] {
  const running = mediaFlows(state, state.used?.pathway);
  return running.length > 0 ? running : (state.probe?.besides ?? []);
}

/** Notes which pathway a media request uses, and which one is left by it. */
function usePathway(state: State, { pathway, atMs }: RequestBegan): State {
  const left = state.used;
  if (left?.pathway === pathway) return state;
  const next = { ...state, used: { pathway, sinceMs: atMs } };
  if (left === null) return next;
  const losses =
    left.pathway === state.pathways[0] ? lossesOfLeft(left, state.probes[left.pathway], atMs) : 1;
  const beforeKbps = latestKbps(state, left.pathway, { nowMs: atMs }) ?? 0;
  const record: ProbeRecord = { atMs, beforeKbps, result: 'worse', wins: 0, losses };
  return { ...next, probes: { ...state.probes, [left.pathway]: record } };
}

/** The first pathway, if it was left soon after it was tried again, is tried later the next time. */
const lossesOfLeft = (
  { sinceMs }: NonNullable<State['used']>,
  record: ProbeRecord | undefined,
  atMs: number,
): number => (record !== undefined && atMs - sinceMs < FRESH_MS ? record.losses + 1 : 1);

/** Adds what a pathway gave while a media request ran: its own rate, and that of other media beside it, as audio beside video. */
function addSample(state: State, event: RequestEnded): State {
  const { pathway, atMs, bytes, startMs, lastByteMs, outcome } = event;
  const failedAtMs = outcome === 'failed' ? { ...state.failedAtMs, [pathway]: atMs } : state.failedAtMs;
  const durationMs = lastByteMs - startMs;
  const next = { ...state, failedAtMs, mediaBytes: state.mediaBytes + bytes };
  if (bytes === 0 || durationMs <= 0) return next;
  const besideKbps = kbpsBetween(mediaFlows(state, pathway), startMs, lastByteMs);
  const sample = { atMs, kbps: (8 * bytes) / durationMs + besideKbps };
  const samples = [...(state.samples[pathway] ?? []), sample].slice(-MAX_SAMPLES);
  return { ...next, samples: { ...state.samples, [pathway]: samples } };
}

/** Whether all of a probe came, and was less than what a new connection may send at once. */
const isSmallProbe = ({ outcome, bytes }: RequestEnded): boolean =>
  outcome === 'ok' && bytes > 0 && bytes < FIRST_WINDOW_BYTES;

/**
 * Judges a small probe by its whole time, from the request on: its bytes came at least at this rate, whatever was in its
 * queue, and handshakes and round trips only make it less. A second one in succession counts like a larger one, for there
 * are streams whose segments are small.
 */
function endSmallProbe(
  state: State,
  { probe, event }: { readonly probe: Probe; readonly event: RequestEnded },
  { strongFactor, weakFactor }: Factors,
): State {
  const { atMs, bytes, startMs, lastByteMs } = event;
  const growth = (8 * bytes) / Math.max(1, lastByteMs - startMs) / Math.max(1, probe.beforeKbps);
  const result = growth >= strongFactor ? 'strong' : growth >= weakFactor ? 'weak' : 'worse';
  const isSecond = state.probes[probe.pathway]?.result === 'hint';
  const next = { ...state, probeBytes: state.probeBytes + bytes };
  return withResult(next, probe, { atMs, result: isSecond || result === 'worse' ? result : 'hint' });
}

/** Notes the rate of a probe that has ended, and when it ran. */
function endProbe(state: State, event: RequestEnded, flowsBefore: readonly Flow[]): State {
  const { pathway, atMs, bytes, outcome } = event;
  const flow = flowsBefore.find(({ requestId }) => requestId === event.requestId);
  const fromMs = event.firstByteMs ?? flow?.firstSeenMs ?? event.startMs;
  const untilMs = Math.max(fromMs + 1, event.lastByteMs);
  const next = { ...state, probeBytes: state.probeBytes + bytes };
  const end = (kbps: number): State => ({
    ...next,
    probe: state.probe && { ...state.probe, ended: { fromMs, untilMs, kbps } },
  });
  if (outcome === 'failed') return { ...end(0), failedAtMs: { ...state.failedAtMs, [pathway]: atMs } };
  const isTooLittle = outcome === 'aborted' && bytes < FIRST_WINDOW_BYTES;
  return end(isTooLittle ? 0 : (8 * bytes) / (untilMs - fromMs));
}

/** Judges a probe that has ended, as soon as enough is known of the media beside it. */
function judgeProbe(state: State, atMs: number, factors: Factors): State {
  const { probe } = state;
  if (!probe?.ended) return state;
  const { fromMs, untilMs, kbps } = probe.ended;
  const isRunning = mediaFlows(state, state.used?.pathway).length > 0;
  if (isRunning && atMs - fromMs < MIN_LOOK_MS) return state;
  const overlaps = untilMs - fromMs >= MIN_OVERLAP_MS;
  const besideKbps = kbpsBetween(mediaBeside(state), fromMs, overlaps ? untilMs : atMs);
  const usualKbps = usedKbps(state, atMs) ?? 0;
  const result = resultOf({ probe, kbps, besideKbps, usualKbps, overlaps }, factors);
  return withResult(state, probe, { atMs, result });
}

/** Notes what a probe has shown. */
function withResult(
  state: State,
  { pathway, beforeKbps }: Probe,
  { atMs, result }: Pick<ProbeRecord, 'atMs' | 'result'>,
): State {
  const record = { atMs, beforeKbps, result, ...countsAfter(state.probes[pathway], result) };
  return { ...state, probe: null, probes: { ...state.probes, [pathway]: record } };
}

/** Counts a result with those before it. */
function countsAfter(
  before: ProbeRecord | undefined,
  result: ProbeResult,
): Pick<ProbeRecord, 'wins' | 'losses'> {
  const { wins, losses } = before ?? { wins: 0, losses: 0 };
  if (result === 'hint') return { wins, losses };
  return result === 'worse' ? { wins: 0, losses: losses + 1 } : { wins: wins + 1, losses };
}

/** What the running probe has shown so far; null while that is too little. */
export function resultNow(state: State, nowMs: number, factors: Factors): ProbeResult | null {
  const { probe } = state;
  const flow = probeFlow(state);
  const fromMs = flow?.firstSeenMs;
  if (!flow || !probe || fromMs == null || nowMs - fromMs < MIN_LOOK_MS) return null;
  return resultOf({ probe, ...comparedNow(state, flow, { fromMs, nowMs }), overlaps: true }, factors);
}

function comparedNow(
  state: State,
  flow: Flow,
  { fromMs, nowMs }: { readonly fromMs: number; readonly nowMs: number },
): Pick<Comparison, 'kbps' | 'besideKbps' | 'usualKbps'> {
  const isFirstWindow = (flow.points.at(-1)?.bytes ?? 0) < FIRST_WINDOW_BYTES;
  return {
    kbps: isFirstWindow ? 0 : kbpsBetween([flow], fromMs, nowMs),
    besideKbps: kbpsBetween(mediaBeside(state), fromMs, nowMs),
    usualKbps: usedKbps(state, nowMs) ?? 0,
  };
}

/**
 * What a new connection sends at once, without waiting for anybody (RFC 6928: ten packets), and half as much for the first
 * acknowledgements. On a slow link it fills the queue, and media stands still: that shows nothing.
 */
export const FIRST_WINDOW_BYTES = 24_000;

/** A probe, and the media beside it, are looked at for at least this time. */
const MIN_LOOK_MS = 600;
/** In a shorter overlap a burst of one is not seen in the other. */
const MIN_OVERLAP_MS = 300;

interface Comparison {
  readonly probe: Pick<Probe, 'beforeKbps'>;
  readonly kbps: number;
  /** Rate of media at the time of the probe. */
  readonly besideKbps: number;
  /** Rate of the latest media over the pathway in use: a probe is sent when media is slower than that, perhaps by chance. */
  readonly usualKbps: number;
  /** Whether both ran for long enough at the same time to be added. */
  readonly overlaps: boolean;
}

/** Whether the pathway of a probe is better than the one in use. */
function resultOf(compared: Comparison, factors: Factors): ProbeResult {
  const { probe, kbps, besideKbps, usualKbps, overlaps } = compared;
  if (kbps <= 0) return 'worse';
  const together = overlaps ? kbps + besideKbps : Math.max(kbps, besideKbps);
  if (together >= factors.strongFactor * probe.beforeKbps && kbps >= 2 * besideKbps) return 'strong';
  const isMore = together >= factors.weakFactor * Math.max(probe.beforeKbps, usualKbps);
  return isMore && kbps >= besideKbps / 2 ? 'weak' : 'worse';
}

export const mediaFlows = ({ flows }: State, pathway: string | undefined): readonly Flow[] =>
  flows.filter((flow) => flow.purpose === 'media' && flow.pathway === pathway);

/** The running probe; undefined if none runs. */
export const probeFlow = ({ flows, probe }: State): Flow | undefined =>
  flows.find(({ requestId }) => requestId === probe?.requestId);

/** What a running request gets now, in kbit/s; null where it has not run for long enough. */
export const flowKbps = (flow: Flow, nowMs: number): number | null => recentKbps(flow, nowMs, RATE_WINDOW_MS);

/** What the running media requests get now, in kbit/s; null where none runs for long enough. */
export function mediaKbps(state: State, nowMs: number): number | null {
  const rates = mediaFlows(state, state.used?.pathway).map((flow) => flowKbps(flow, nowMs));
  const known = rates.filter((kbps) => kbps !== null);
  return known.length === 0 ? null : known.reduce((sum, kbps) => sum + kbps, 0);
}

/** The median of the latest media requests of a pathway, in kbit/s; null where it was not used of late. */
export const latestKbps = (
  { samples }: State,
  pathway: string,
  { nowMs }: { readonly nowMs: number },
): number | null => medianKbps((samples[pathway] ?? []).filter(({ atMs }) => nowMs - atMs <= FRESH_MS));

/** Returns the median rate; null without samples. Of two samples it is the larger: a first segment pays for the handshakes. */
function medianKbps(samples: readonly Sample[]): number | null {
  const rates = samples.map(({ kbps }) => kbps).sort((one, other) => one - other);
  return rates[Math.floor(rates.length / 2)] ?? null;
}

/** Returns the median rate of the pathway in use, or its latest rate if that is lower: after a policer's burst only the latest is true. */
function usedKbps(state: State, nowMs: number): number | null {
  const pathway = state.used?.pathway ?? '';
  const kbps = latestKbps(state, pathway, { nowMs });
  return kbps && Math.min(kbps, state.samples[pathway]?.at(-1)?.kbps ?? kbps);
}
