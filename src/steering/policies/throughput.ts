/**
 * Compares what the bodies of two pathways deliver. A policer does not show in the time to the first byte, and behind one
 * the other pathway is unknown: so doubt is resolved by a short probe beside the running media request. What counts is the
 * sum of both. Where they share a bottleneck, the probe takes from the media request what it gets itself, and the sum
 * stays as it was; where only QUIC is limited, the sum grows.
 */
import { mustBePositive } from '../../shared/parameters.ts';
import { flowsAfter, kbpsBetween, recentKbps, secondHalfKbps, type Flow } from '../flows.ts';
import type {
  RequestBegan,
  RequestEnded,
  SteeringAnswer,
  SteeringContext,
  SteeringEvent,
  SteeringMoment,
} from '../policy.ts';
import { tunablePolicy } from '../tunablePolicy.ts';

interface State {
  readonly pathways: readonly string[];
  readonly flows: readonly Flow[];
  /** By pathway: the latest media requests, oldest first. */
  readonly samples: Readonly<Record<string, readonly Sample[]>>;
  /** By pathway: what probes over it have shown. */
  readonly probes: Readonly<Record<string, ProbeRecord>>;
  /** The probe that runs, or has ended and is not judged yet. */
  readonly probe: Probe | null;
  /** The pathway of the last media request, and since when it is used. */
  readonly used: { readonly pathway: string; readonly sinceMs: number } | null;
  readonly failedAtMs: Readonly<Record<string, number>>;
  readonly mediaBytes: number;
  readonly probeBytes: number;
}

interface Sample {
  readonly atMs: number;
  readonly kbps: number;
}

interface Probe {
  readonly requestId: string;
  readonly pathway: string;
  /** Rate of media when it began, in kbit/s. */
  readonly beforeKbps: number;
  /** What it had when it ended; null while it runs. */
  readonly ended: { readonly fromMs: number; readonly untilMs: number; readonly kbps: number } | null;
}

interface ProbeRecord {
  /** When the last one ended, and what it was compared with: the rate of media before it, in kbit/s. */
  readonly atMs: number;
  readonly beforeKbps: number;
  /** What it showed. */
  readonly result: ProbeResult;
  /** How many in succession showed that the pathway is better. */
  readonly wins: number;
  /** How many in succession showed that it is not, or how often it was left soon after it was tried again. */
  readonly losses: number;
}

/** `strong`: many times better; `weak`: better; `worse`: not better. */
type ProbeResult = 'strong' | 'weak' | 'worse';

const DEFAULTS = {
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
  /** The first pathway is probed with more: a policer lets a burst pass before it limits. */
  returnProbeBytes: 98_304,
  /** Share of all bytes that probes may have while playback is not in danger, in %. */
  probePercent: 2,
  /** Pauses between probes double, from the first to the longest: while playback is in danger, or the first pathway is left, */
  firstPauseMs: 8000,
  /** Below a minute, so that a pathway that is good again is used again within one. */
  maxPauseMs: 40_000,
  /** and while there is only more to gain. */
  firstGainPauseMs: 30_000,
  maxGainPauseMs: 240_000,
};

export const throughput = tunablePolicy(DEFAULTS, (parameters) => {
  mustBePositive('throughput', parameters, Object.keys(DEFAULTS));
  return {
    id: 'throughput',
    label: 'throughput of bodies',
    paper: 'none: ours (docs/steering.md)',
    start: ({ pathways }: SteeringContext): State => ({
      pathways: pathways.map(({ id }) => id),
      flows: [],
      samples: {},
      probes: {},
      probe: null,
      used: null,
      failedAtMs: {},
      mediaBytes: 0,
      probeBytes: 0,
    }),
    observe: (state: State, event: SteeringEvent): State => observed(state, event, parameters),
    choose: (state: State, moment: SteeringMoment): SteeringAnswer => chosen(state, moment, parameters),
  };
});

type Settings = typeof DEFAULTS;

const RATE_WINDOW_MS = 1200;
const MAX_SAMPLES = 3;
/** What another pathway gave counts so long. */
const FRESH_MS = 60_000;
/** A pathway on which a request failed is avoided so long. */
const AVOIDED_MS = 10_000;

function observed(state: State, event: SteeringEvent, settings: Settings): State {
  if (event.kind === 'network-change') return { ...state, samples: {}, probes: {}, failedAtMs: {} };
  const next = { ...state, flows: flowsAfter(state.flows, event) };
  if (event.kind === 'began') return begun(next, event);
  if (event.kind === 'progress') return judged(next, event.atMs, settings);
  const ended = event.purpose === 'probe' ? probed(next, event, state.flows) : played(next, event);
  return judged(ended, event.atMs, settings);
}

function begun(state: State, { purpose, pathway, requestId, atMs }: RequestBegan): State {
  if (purpose === 'probe') {
    const beforeKbps = mediaKbps(state, atMs) ?? latestKbps(state, state.used?.pathway ?? '', atMs) ?? 0;
    return { ...state, probe: { requestId, pathway, beforeKbps, ended: null } };
  }
  if (state.used?.pathway === pathway) return state;
  const used = { pathway, sinceMs: atMs };
  const left = state.used;
  if (left === null) return { ...state, used };
  // A pathway that was left soon after it was tried again is tried later the next time.
  const wasTrial = atMs - left.sinceMs < FRESH_MS && state.probes[left.pathway] !== undefined;
  const losses = wasTrial ? (state.probes[left.pathway]?.losses ?? 0) + 1 : 1;
  const record: ProbeRecord = { atMs, beforeKbps: 0, result: 'worse', wins: 0, losses };
  return { ...state, used, probes: { ...state.probes, [left.pathway]: record } };
}

/** How long nothing is probed after so many losses in succession. */
const pauseMs = (losses: number, firstMs: number, maxMs: number): number =>
  losses === 0 ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(20, losses - 1));

function played(state: State, event: RequestEnded): State {
  const { pathway, atMs, bytes, startMs, lastByteMs, outcome } = event;
  const failedAtMs = outcome === 'failed' ? { ...state.failedAtMs, [pathway]: atMs } : state.failedAtMs;
  const durationMs = lastByteMs - startMs;
  const next = { ...state, failedAtMs, mediaBytes: state.mediaBytes + bytes };
  if (bytes === 0 || durationMs <= 0) return next;
  const sample = { atMs, kbps: (8 * bytes) / durationMs };
  const samples = [...(state.samples[pathway] ?? []), sample].slice(-MAX_SAMPLES);
  return { ...next, samples: { ...state.samples, [pathway]: samples } };
}

function probed(state: State, event: RequestEnded, flowsBefore: readonly Flow[]): State {
  const { pathway, atMs, bytes, outcome } = event;
  const flow = flowsBefore.find(({ requestId }) => requestId === event.requestId);
  const fromMs = event.firstByteMs ?? flow?.firstSeenMs ?? event.startMs;
  const untilMs = Math.max(fromMs + 1, event.lastByteMs);
  const isReturn = pathway === state.pathways[0];
  const measuredKbps =
    isReturn && flow ? secondHalfKbps(flow, { atMs: untilMs, bytes }) : (8 * bytes) / (untilMs - fromMs);
  const kbps = outcome === 'failed' ? 0 : measuredKbps;
  return {
    ...state,
    probe: state.probe && { ...state.probe, ended: { fromMs, untilMs, kbps } },
    probeBytes: state.probeBytes + bytes,
    failedAtMs: outcome === 'failed' ? { ...state.failedAtMs, [pathway]: atMs } : state.failedAtMs,
  };
}

/** Judges a probe that has ended, as soon as enough is known of the media beside it. */
function judged(state: State, atMs: number, settings: Settings): State {
  const { probe, used } = state;
  if (!probe?.ended) return state;
  const { fromMs, untilMs, kbps } = probe.ended;
  const media = mediaFlows(state, used?.pathway);
  if (media.length > 0 && atMs - fromMs < MIN_LOOK_MS) return state;
  const overlaps = untilMs - fromMs >= MIN_OVERLAP_MS;
  const besideKbps =
    media.length > 0
      ? kbpsBetween(media, fromMs, overlaps ? untilMs : atMs)
      : (latestKbps(state, used?.pathway ?? '', atMs) ?? probe.beforeKbps);
  const result = resultOf(state, { probe, kbps, besideKbps, overlaps }, settings);
  const before = state.probes[probe.pathway];
  const record: ProbeRecord = {
    ...{ atMs, beforeKbps: probe.beforeKbps, result },
    wins: result === 'worse' ? 0 : (before?.wins ?? 0) + 1,
    losses: (before?.losses ?? 0) + (result === 'worse' ? 1 : 0),
  };
  return { ...state, probe: null, probes: { ...state.probes, [probe.pathway]: record } };
}

/** In a shorter overlap a burst of one is not seen in the other. */
const MIN_OVERLAP_MS = 300;

interface Comparison {
  readonly probe: Pick<Probe, 'pathway' | 'beforeKbps'>;
  readonly kbps: number;
  /** Of media, at the same time. */
  readonly besideKbps: number;
  /** Whether both ran for long enough at the same time to be added. */
  readonly overlaps: boolean;
}

/** Whether the pathway of a probe is better than the one in use; for the first pathway: whether it may be used again. */
function resultOf({ pathways }: State, compared: Comparison, settings: Settings): ProbeResult {
  const { probe, kbps, besideKbps, overlaps } = compared;
  if (kbps <= 0) return 'worse';
  if (probe.pathway === pathways[0]) return resultOfReturn(kbps, probe.beforeKbps);
  const together = overlaps ? kbps + besideKbps : Math.max(kbps, besideKbps);
  if (together >= settings.strongFactor * probe.beforeKbps && kbps >= 2 * besideKbps) return 'strong';
  return together >= settings.weakFactor * probe.beforeKbps && kbps >= besideKbps / 2 ? 'weak' : 'worse';
}

/**
 * Whether the first pathway gives a share of what the one in use gives. A probe is short and its connection cold, so the
 * share is small; the first segments then show whether it was right.
 */
const resultOfReturn = (kbps: number, beforeKbps: number): ProbeResult =>
  kbps >= RETURN_SHARE * beforeKbps ? 'weak' : 'worse';

const RETURN_SHARE = 0.2;

const mediaFlows = ({ flows }: State, pathway: string | undefined): readonly Flow[] =>
  flows.filter((flow) => flow.purpose === 'media' && flow.pathway === pathway);

/** What the running media requests get now, in kbit/s; null where none runs for long enough. */
function mediaKbps(state: State, nowMs: number): number | null {
  const rates = mediaFlows(state, state.used?.pathway).map((flow) => recentKbps(flow, nowMs, RATE_WINDOW_MS));
  const known = rates.filter((kbps) => kbps !== null);
  return known.length === 0 ? null : known.reduce((sum, kbps) => sum + kbps, 0);
}

/** The median of the latest media requests of a pathway, in kbit/s; null where it was not used of late. */
function latestKbps({ samples }: State, pathway: string, nowMs: number, sinceMs = 0): number | null {
  const rates = (samples[pathway] ?? [])
    .filter(({ atMs }) => atMs >= sinceMs && nowMs - atMs <= FRESH_MS)
    .map(({ kbps }) => kbps)
    .sort((one, other) => one - other);
  return rates[Math.floor(rates.length / 2)] ?? null;
}

function chosen(state: State, moment: SteeringMoment, settings: Settings): SteeringAnswer {
  const [first = moment.pathway] = state.pathways;
  const { pathway: present, nowMs } = moment;
  const other = state.pathways.find((id) => id !== present && !isAvoided(state, id, nowMs));
  const values = {
    nowKbps: mediaKbps(state, nowMs),
    presentKbps: latestKbps(state, present, nowMs),
    otherKbps: other === undefined ? null : latestKbps(state, other, nowMs),
    bufferMs: moment.bufferMs,
  };
  if (other === undefined)
    return { pathway: first, because: 'No other pathway can be used, so the first one is.', values };
  const around = { state, moment, settings, other };
  const because = present === first ? reasonToLeave(around) : reasonToReturn(around);
  const pathway = because === null ? present : other;
  const rescue = pathway === first ? null : slowRequest(state, moment, pathway);
  return {
    pathway,
    because: because ?? 'Nothing shows that another pathway is better.',
    values,
    ...(rescue !== null && { rescue }),
    ...(state.probe ? endOfProbe(around) : because === null && probeOf(around)),
  };
}

interface Around {
  readonly state: State;
  readonly moment: SteeringMoment;
  readonly settings: Settings;
  /** The pathway that is not in use, and may be. */
  readonly other: string;
}

const isAvoided = ({ failedAtMs }: State, pathway: string, nowMs: number): boolean =>
  nowMs - (failedAtMs[pathway] ?? -Infinity) < AVOIDED_MS;

/** Why the first pathway is left, in one sentence; null to stay. */
function reasonToLeave(around: Around): string | null {
  const { state, moment, settings, other } = around;
  const { pathway: present, nowMs } = moment;
  if (isAvoided(state, present, nowMs)) return `A request over ${present} failed.`;
  const record = probesSince(state, other);
  if (record?.result === 'strong' || resultNow(around) === 'strong')
    return `A probe over ${other} got many times what media over ${present} got at the same time.`;
  if ((record?.wins ?? 0) >= settings.weakProbes)
    return `${settings.weakProbes} probes found that ${other} carries more than ${present}.`;
  return state.used?.pathway === present ? reasonOfTrial(around) : null;
}

/** Why the first pathway is left again after it was tried; null to stay. */
function reasonOfTrial({ state, moment, settings, other }: Around): string | null {
  const { pathway: present, nowMs } = moment;
  const otherKbps = latestKbps(state, other, nowMs);
  if (otherKbps === null) return null;
  const nowKbps = mediaKbps(state, nowMs);
  if (nowKbps !== null && nowKbps < TRIAL_SHARE * otherKbps)
    return `The present segment gets less than a third of what ${other} gave.`;
  const sinceMs = state.used?.sinceMs ?? 0;
  const sinceThen = (state.samples[present] ?? []).filter(({ atMs }) => atMs >= sinceMs);
  const gives = latestKbps(state, present, nowMs, sinceMs);
  return sinceThen.length >= 2 && gives !== null && gives < settings.keepShare * otherKbps
    ? `Segments over ${present} get less than those over ${other} got.`
    : null;
}

/** A segment on a pathway that is tried again may get so much less than the other gave. */
const TRIAL_SHARE = 1 / 3;

/** What probes over a pathway have shown since the present one is used. */
function probesSince({ probes, used }: State, pathway: string): ProbeRecord | null {
  const record = probes[pathway];
  return record && record.atMs > (used?.sinceMs ?? 0) ? record : null;
}

/** Why the first pathway is used again, in one sentence; null to stay away. */
function reasonToReturn({ state, moment, other }: Around): string | null {
  const { pathway: present, nowMs } = moment;
  if (isAvoided(state, present, nowMs)) return `A request over ${present} failed.`;
  // What was decided is done first.
  if (state.used?.pathway !== present) return null;
  const record = probesSince(state, other);
  return record && record.result !== 'worse' ? `A probe found that ${other} carries enough again.` : null;
}

/** What the running probe has shown so far; null while that is too little. */
function resultNow({ state, moment: { nowMs }, settings }: Around): ProbeResult | null {
  const { probe } = state;
  const flow = state.flows.find(({ requestId }) => requestId === probe?.requestId);
  const fromMs = flow?.firstSeenMs;
  if (!flow || !probe || fromMs == null || nowMs - fromMs < MIN_LOOK_MS) return null;
  const kbps = kbpsBetween([flow], fromMs, nowMs);
  const besideKbps = kbpsBetween(mediaFlows(state, state.used?.pathway), fromMs, nowMs);
  return resultOf(state, { probe, kbps, besideKbps, overlaps: true }, settings);
}

/** A probe, and the media beside it, are looked at for at least this time. */
const MIN_LOOK_MS = 600;
/** A probe without any byte has failed by then, and one that is still slow ends. */
const MAX_SILENCE_MS = 4000;
const MAX_SLOW_MS = 1500;

/** Ends a probe that has shown enough: what it still took would be taken from media. */
function endOfProbe(around: Around): Pick<SteeringAnswer, 'endProbe'> {
  const { state, moment } = around;
  const flow = state.flows.find(({ requestId }) => requestId === state.probe?.requestId);
  if (!flow) return {};
  const sinceMs = moment.nowMs - (flow.firstSeenMs ?? flow.startMs);
  const result = resultNow(around);
  const isOver =
    flow.firstSeenMs === null
      ? sinceMs >= MAX_SILENCE_MS
      : result === 'strong' || (result === 'worse' && sinceMs >= MAX_SLOW_MS);
  return isOver ? { endProbe: flow.requestId } : {};
}

/** Whether a probe is worth its bytes now. */
function probeOf(around: Around): Pick<SteeringAnswer, 'probe'> {
  const { state, settings, other } = around;
  const isReturn = other === state.pathways[0];
  if (!(isReturn ? isReturnDue(around) : isDoubtDue(around))) return {};
  const bytes = isReturn ? settings.returnProbeBytes : doubtBytes(around);
  return { probe: { pathway: other, bytes } };
}

/** The first pathway is asked again after a pause, while another one carries the media. */
function isReturnDue({ state, moment, settings, other }: Around): boolean {
  const record = state.probes[other];
  if (!record || state.used?.pathway !== moment.pathway) return false;
  const waitMs = pauseMs(record.losses, settings.firstPauseMs, settings.maxPauseMs);
  return moment.nowMs - record.atMs >= waitMs && moment.bufferMs >= RETURN_BUFFER_MS;
}

/** Whether the first pathway gives less than can be used, and nothing is known of the other. */
function isDoubtDue(around: Around): boolean {
  const { state, moment, settings, other } = around;
  const nowKbps = mediaKbps(state, moment.nowMs);
  if (nowKbps === null || !isOldEnough(around)) return false;
  const inDanger = isInDanger(moment, nowKbps);
  const couldGain = moment.highestKbps !== null && nowKbps < moment.highestKbps;
  if (!inDanger && !couldGain) return false;
  const record = state.probes[other];
  const sinceMs = moment.nowMs - (record?.atMs ?? -Infinity);
  if (record !== undefined && record.wins > 0) return sinceMs >= CONFIRM_AFTER_MS;
  if (!inDanger && !isPaidFor(around)) return false;
  if (!record) return true;
  // Much less than when the last probe found nothing: that is news.
  if (nowKbps < record.beforeKbps / 2) return sinceMs >= NEWS_AFTER_MS;
  const { firstPauseMs, maxPauseMs, firstGainPauseMs, maxGainPauseMs } = settings;
  return inDanger
    ? sinceMs >= pauseMs(record.losses, firstPauseMs, maxPauseMs)
    : sinceMs >= pauseMs(record.losses, firstGainPauseMs, maxGainPauseMs);
}

/** Enough to run beside media for a while, if the other pathway is twice as fast. */
function doubtBytes({ state, moment, settings }: Around): number {
  const nowKbps = mediaKbps(state, moment.nowMs) ?? 0;
  return Math.min(
    settings.returnProbeBytes,
    Math.max(settings.probeBytes, Math.round(nowKbps * BYTES_PER_KBPS)),
  );
}

/** 0.6 s at the rate of media. */
const BYTES_PER_KBPS = 75;

/** A probe more is within its share of all bytes; the first ones are free, because later they could not help. */
function isPaidFor(around: Around): boolean {
  const { mediaBytes, probeBytes } = around.state;
  const mayBytes = (around.settings.probePercent / 100) * (mediaBytes + probeBytes);
  return probeBytes + doubtBytes(around) <= Math.max(mayBytes, FREE_BYTES);
}

const FREE_BYTES = 131_072;
const CONFIRM_AFTER_MS = 3000;
const NEWS_AFTER_MS = 2000;
/** The return is not tried with less: its probe takes from media. */
const RETURN_BUFFER_MS = 4000;

const isOldEnough = ({ state, moment, settings }: Around): boolean =>
  mediaFlows(state, moment.pathway).some(({ startMs }) => moment.nowMs - startMs >= settings.graceMs);

/** Media arrives too slowly for the lowest bitrate, or the running segment comes too late. */
function isInDanger({ lowestKbps, bufferMs, running, pathway }: SteeringMoment, nowKbps: number): boolean {
  if (lowestKbps !== null && nowKbps < lowestKbps) return true;
  const request = running.find((each) => each.purpose === 'media' && each.pathway === pathway);
  if (!request || request.totalBytes === null || bufferMs < MIN_BUFFER_MS) return false;
  return (8 * (request.totalBytes - request.bytes)) / Math.max(1, nowKbps) > bufferMs;
}

/** At the start the buffer is empty, and every segment would be late. */
const MIN_BUFFER_MS = 1000;

/** A media request on another pathway than `pathway` that would still take long; null if there is none. */
function slowRequest({ flows }: State, { running, nowMs }: SteeringMoment, pathway: string): string | null {
  const slow = running.find((request) => {
    if (request.purpose !== 'media' || request.pathway === pathway) return false;
    const flow = flows.find(({ requestId }) => requestId === request.requestId);
    const kbps = (flow && recentKbps(flow, nowMs, RATE_WINDOW_MS)) ?? 0;
    if (request.totalBytes === null || kbps <= 0) return true;
    return (8 * (request.totalBytes - request.bytes)) / kbps > WORTH_MS;
  });
  return slow?.requestId ?? null;
}

/** A change of pathway costs a round trip and, at first, handshakes. */
const WORTH_MS = 1000;
