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
  DEFAULTS,
  endOfProbe,
  pauseMs,
  probeOf,
  urgentPauses,
  type Around,
  type Settings,
} from './throughputProbes.ts';
import {
  flowKbps,
  latestKbps,
  MAX_SAMPLES,
  mediaFlows,
  mediaKbps,
  observe,
  resultNow,
  startState,
  type ProbeRecord,
  type Sample,
  type State,
} from './throughputState.ts';

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
  return {
    pathway,
    because: because ?? 'Nothing shows that another pathway is better.',
    values,
    ...(because !== null && historyOf(around)),
    ...(pathway !== first && rescueOver(pathway, around)),
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

const isAvoided = ({ failedAtMs }: State, pathway: string, nowMs: number): boolean =>
  nowMs - (failedAtMs[pathway] ?? -Infinity) < AVOIDED_MS;

/** Why the first pathway is left, in one sentence; null to stay. */
function reasonToLeave(around: Around): string | null {
  const { state, moment, settings, other } = around;
  const { pathway: present, nowMs } = moment;
  if (isAvoided(state, present, nowMs)) return `A request over ${present} failed.`;
  const record = probesSince(state, other, present);
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

/** What probes over a pathway have shown since the present one is used. One that is chosen and not used yet has no such probes. */
function probesSince({ probes, used }: State, pathway: string, present: string): ProbeRecord | null {
  const record = probes[pathway];
  if (used !== null && used.pathway !== present) return null;
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
  return sinceMs >= pauseMs(record.losses, urgentPauses(settings))
    ? `${other} was not used for ${Math.round(sinceMs / 1000)} s, so a segment tries it.`
    : null;
}

/** In a trial of the first pathway, rules go on with what they know. A pathway that failed is left for what is known of the other. */
const historyOf = ({ state, moment }: Around): Pick<SteeringAnswer, 'keepsHistory'> =>
  moment.pathway !== state.pathways[0] && !isAvoided(state, moment.pathway, moment.nowMs)
    ? { keepsHistory: true }
    : {};

/** With less, a trial that fails could make playback stall. */
const RETURN_BUFFER_MS = 4000;

/** Continues a media request on another pathway than `pathway` that would still take long, if there is one. */
function rescueOver(pathway: string, { state, moment }: Around): Pick<SteeringAnswer, 'rescue'> {
  const { flows } = state;
  const { running, nowMs } = moment;
  const slow = running.find((request) => {
    if (request.purpose !== 'media' || request.pathway === pathway) return false;
    const flow = flows.find(({ requestId }) => requestId === request.requestId);
    const kbps = (flow && flowKbps(flow, nowMs)) ?? 0;
    if (request.totalBytes === null || kbps <= 0) return true;
    return (8 * (request.totalBytes - request.bytes)) / kbps > WORTH_MS;
  });
  return slow ? { rescue: slow.requestId } : {};
}

/** A change of pathway costs a round trip and, at first, handshakes. */
const WORTH_MS = 1000;
