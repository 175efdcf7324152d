/**
 * Compares what the bodies of two pathways deliver. A policer does not show in the time to the first byte, and behind one
 * the other pathway is unknown: so doubt is resolved by a short probe beside the running media request. What counts is the
 * sum of both. Where they share a bottleneck, the probe takes from the media request what it gets itself, and the sum
 * stays as it was; where only QUIC is limited, the sum grows.
 *
 * The way back needs no probe. A segment is requested over the first pathway, and if it is slow, what is missing of it is
 * requested over the other one: nothing is thrown away, and no media beside it fills the queue. A probe could mislead as
 * well: after 30 s without a request Chromium has no QUIC connection, and so the first answer comes over TCP.
 */
import { mustBePositive } from '../../shared/parameters.ts';
import type { SteeringAnswer, SteeringEvent, SteeringMoment } from '../policy.ts';
import { tunablePolicy } from '../tunablePolicy.ts';
import {
  FIRST_WINDOW_BYTES,
  flowKbps,
  latestKbps,
  MAX_SAMPLES,
  mediaFlows,
  mediaKbps,
  observe,
  probeFlow,
  resultNow,
  startState,
  type ProbeRecord,
  type Sample,
  type State,
} from './throughputState.ts';

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
  maxProbeBytes: 98_304,
  /** Share of all bytes that probes may have while playback is not in danger, in %. */
  probePercent: 2,
  /** Pauses double, from the first to the longest: between probes while playback is in danger, and before each trial, */
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
    start: startState,
    observe: (state: State, event: SteeringEvent): State => observe(state, event, parameters),
    choose: (state: State, moment: SteeringMoment): SteeringAnswer => choose(state, moment, parameters),
  };
});

type Settings = typeof DEFAULTS;

/** A pathway on which a request failed is avoided so long. */
const AVOIDED_MS = 10_000;

function choose(state: State, moment: SteeringMoment, settings: Settings): SteeringAnswer {
  const [first = moment.pathway] = state.pathways;
  const { pathway: present, nowMs } = moment;
  const other = state.pathways.find((id) => id !== present && !isAvoided(state, id, nowMs));
  const values = valuesOf(state, moment, other);
  if (other === undefined) return { ...answerWithoutOther(state, moment, first), values };
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

/** A pathway that works is kept; where all failed, playback goes on as without steering. */
const answerWithoutOther = (
  state: State,
  { pathway: present, nowMs }: SteeringMoment,
  first: string,
): SteeringAnswer =>
  isAvoided(state, present, nowMs)
    ? { pathway: first, because: 'No other pathway can be used, so the first one is.' }
    : { pathway: present, because: 'Requests over the other pathways failed just now.' };

/** The numbers behind a choice. */
function valuesOf(
  state: State,
  { pathway, nowMs, bufferMs }: SteeringMoment,
  other: string | undefined,
): Record<string, number | null> {
  return {
    nowKbps: mediaKbps(state, nowMs),
    presentKbps: latestKbps(state, pathway, { nowMs }),
    otherKbps: other === undefined ? null : latestKbps(state, other, { nowMs }),
    bufferMs,
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
  if (record?.result === 'strong' || resultNow(state, nowMs, settings) === 'strong')
    return `A probe over ${other} got many times what media over ${present} got at the same time.`;
  if ((record?.wins ?? 0) >= settings.weakProbes)
    return `${settings.weakProbes} probes found that ${other} carries more than ${present}.`;
  return state.used?.pathway === present ? reasonOfTrial(around) : null;
}

/** Why the first pathway is left again after it was tried; null to stay. */
function reasonOfTrial({ state, moment, settings, other }: Around): string | null {
  const { pathway: present, nowMs, highestKbps } = moment;
  const otherKbps = latestKbps(state, other, { nowMs });
  if (otherKbps === null) return null;
  const wantedKbps = Math.min(otherKbps, USEFUL_FACTOR * (highestKbps ?? Infinity));
  const came = samplesOfTrial(state, present);
  if (came.length < MAX_SAMPLES) {
    const share = shareOfSegment(state, moment, settings);
    return share !== null && (mediaKbps(state, nowMs) ?? 0) < share * wantedKbps
      ? `The present segment gets much less than those over ${other} got.`
      : null;
  }
  // A connection that a limit has slowed down becomes faster from segment to segment: the best one counts.
  const best = Math.max(...came.map(({ kbps }) => kbps));
  return best < settings.keepShare * wantedKbps
    ? `Segments over ${present} get less than those over ${other} got.`
    : null;
}

/** A rule leaves a margin below what it measures. More than this factor of the highest bitrate is of no use to it. */
const USEFUL_FACTOR = 1.5;

/** What has come over a pathway since it is used. */
const samplesOfTrial = ({ samples, used }: State, pathway: string): readonly Sample[] =>
  (samples[pathway] ?? []).filter(({ atMs }) => atMs >= (used?.sinceMs ?? 0));

/** The share of what the other pathway gave that a running segment must get by now; null while it is too early to say. */
function shareOfSegment(
  state: State,
  { pathway, nowMs }: SteeringMoment,
  { graceMs }: Settings,
): number | null {
  const flows = mediaFlows(state, pathway);
  const firstSeenMs = Math.min(...flows.map((flow) => flow.firstSeenMs ?? Infinity));
  // Without a connection, the first byte takes several round trips.
  if (firstSeenMs === Infinity)
    return flows.some(({ startMs }) => nowMs - startMs >= 2 * graceMs) ? EARLY_SHARE : null;
  const elapsedMs = nowMs - firstSeenMs;
  if (elapsedMs < graceMs) return null;
  return elapsedMs < 3 * graceMs ? EARLY_SHARE : LATE_SHARE;
}

/**
 * In its first seconds a new connection may still become faster. Later, a segment at half the rate would take from the
 * buffer as long as it is itself.
 */
const EARLY_SHARE = 1 / 3;
const LATE_SHARE = 1 / 2;

/** What probes over a pathway have shown since the present one is used. */
function probesSince({ probes, used }: State, pathway: string): ProbeRecord | null {
  const record = probes[pathway];
  return record && record.atMs > (used?.sinceMs ?? 0) ? record : null;
}

/** Why the first pathway is used again, in one sentence; null to stay away. */
function reasonToReturn({ state, moment, settings, other }: Around): string | null {
  const { pathway: present, nowMs, bufferMs } = moment;
  if (isAvoided(state, present, nowMs)) return `A request over ${present} failed.`;
  // What was decided is done first. Of the others only the first pathway is tried.
  const isWaiting = state.used?.pathway !== present || other !== state.pathways[0];
  if (isWaiting || bufferMs < RETURN_BUFFER_MS) return null;
  const record = state.probes[other];
  if (record === undefined) return `Nothing is known of ${other} in this network.`;
  const sinceMs = nowMs - record.atMs;
  return sinceMs >= pauseMs(record.losses, dangerPauses(settings))
    ? `${other} was not used for ${Math.round(sinceMs / 1000)} s, so a segment tries it.`
    : null;
}

/** With less, a trial that fails could make playback stall. */
const RETURN_BUFFER_MS = 4000;

/** A probe without any byte has failed by then, and one that is still slow ends. */
const MAX_SILENCE_MS = 4000;
const MAX_SLOW_MS = 1500;

/** Ends a probe that has shown enough: what it still took would be taken from media. */
function endOfProbe(around: Around): Pick<SteeringAnswer, 'endProbe'> {
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

/** Whether the running probe is a small one, and has taken too long to show anything. */
function isLateSmallProbe({ state, settings, other }: Around, elapsedMs: number): boolean {
  const { probe } = state;
  if (!probe || state.probes[other]?.result === 'hint') return false;
  const bytes = smallProbeBytes(probe.beforeKbps);
  return bytes < FIRST_WINDOW_BYTES && elapsedMs > (8 * bytes) / (settings.weakFactor * probe.beforeKbps);
}

/** So much that a pathway which is three times as fast needs 0.3 s for it, handshakes included. */
const smallProbeBytes = (kbps: number): number => Math.max(MIN_PROBE_BYTES, Math.round(kbps * 112.5));

/** Whether a probe is worth its bytes now. The first pathway is not probed, but tried. */
const probeOf = (around: Around): Pick<SteeringAnswer, 'probe'> =>
  around.other !== around.state.pathways[0] && isDoubtDue(around)
    ? { probe: { pathway: around.other, bytes: doubtBytes(around) } }
    : {};

/** How long nothing is probed or tried after so many losses in succession. */
const pauseMs = (losses: number, { firstMs, maxMs }: Pauses): number =>
  losses === 0 ? 0 : Math.min(maxMs, firstMs * 2 ** Math.min(20, losses - 1));

interface Pauses {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The pauses while playback is in danger, or the first pathway is left. */
const dangerPauses = ({ firstPauseMs, maxPauseMs }: Settings): Pauses => ({
  firstMs: firstPauseMs,
  maxMs: maxPauseMs,
});

/** The pauses while there is only more to gain. */
const gainPauses = ({ firstGainPauseMs, maxGainPauseMs }: Settings): Pauses => ({
  firstMs: firstGainPauseMs,
  maxMs: maxGainPauseMs,
});

/** Whether the first pathway gives less than can be used, and nothing is known of the other. */
function isDoubtDue(around: Around): boolean {
  const { state, moment, settings, other } = around;
  const doubt = isOldEnough(around) ? doubtOf(state, moment) : null;
  if (doubt === null) return false;
  const record = state.probes[other];
  const confirmAfterMs = record === undefined ? null : confirmMs(record);
  const sinceMs = moment.nowMs - (record?.atMs ?? -Infinity);
  if (confirmAfterMs !== null) return sinceMs >= confirmAfterMs;
  if (!doubt.inDanger && !isPaidFor(around)) return false;
  return record === undefined || sinceMs >= waitMs(record, { ...doubt, ...moment }, settings);
}

/** How long after a probe that showed something the next one follows; null where it showed nothing. */
function confirmMs({ result, wins }: ProbeRecord): number | null {
  if (result === 'hint') return 0;
  return wins > 0 ? CONFIRM_AFTER_MS : null;
}

/** What is wrong with the rate of media. */
interface Doubt {
  readonly nowKbps: number;
  /** Whether playback is in danger; where it is not, there is only more to gain. */
  readonly inDanger: boolean;
}

/** Null where the rate is unknown, or more would change nothing. */
function doubtOf(state: State, moment: SteeringMoment): Doubt | null {
  const nowKbps = mediaKbps(state, moment.nowMs);
  if (nowKbps === null) return null;
  const inDanger = isInDanger(moment, nowKbps);
  const couldGain = moment.highestKbps !== null && nowKbps < moment.highestKbps;
  return inDanger || couldGain ? { nowKbps, inDanger } : null;
}

/** How long nothing is probed after a probe that found nothing. */
function waitMs(
  record: ProbeRecord,
  { nowKbps, inDanger, lowestKbps }: Doubt & Pick<SteeringMoment, 'lowestKbps'>,
  settings: Settings,
): number {
  // On a network that is always too slow, a probe takes seconds of it, and danger is no news.
  const wasEnough = record.beforeKbps >= (lowestKbps ?? 0);
  // Much less than when the last probe found nothing is news.
  if (wasEnough && nowKbps < record.beforeKbps / 2) return NEWS_AFTER_MS;
  return pauseMs(record.losses, inDanger && wasEnough ? dangerPauses(settings) : gainPauses(settings));
}

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

/** Far more than the headers. */
const MIN_PROBE_BYTES = 8192;

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
    const kbps = (flow && flowKbps(flow, nowMs)) ?? 0;
    if (request.totalBytes === null || kbps <= 0) return true;
    return (8 * (request.totalBytes - request.bytes)) / kbps > WORTH_MS;
  });
  return slow?.requestId ?? null;
}

/** A change of pathway costs a round trip and, at first, handshakes. */
const WORTH_MS = 1000;
