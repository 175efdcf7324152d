import { formatCount } from '../../shared/format.ts';
import { secondsFromMs } from '../../shared/units.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { meanOf } from '../statistics/summaries.ts';
import { eventsOf } from '../timeline/log.ts';
import {
  mainPathway,
  oracleSchedule,
  pathwayRequests,
  timesToLeave,
  timesToReturn,
  udpLimits,
  wrongRequests,
  type PathwayRequest,
  type UdpLimit,
} from '../transport/pathways.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';

const NOT_STEERED = 'nothing chose between pathways';
const UNSTEERED = 'Nothing chose between pathways in this session.';
const OURS = 'ours; pathways as in DASH content steering (ETSI TS 103 998)';

/** Whether a policy chose in this session: its first choice is always in the log. */
const isSteered = (log: SessionLog): boolean =>
  mainPathway(log) !== null && eventsOf(log, 'steering').length > 0;

const countsBy = <Item>(items: readonly Item[], nameOf: (item: Item) => string): Record<string, number> => {
  const by: Record<string, number> = {};
  for (const item of items) by[nameOf(item)] = (by[nameOf(item)] ?? 0) + 1;
  return by;
};

const bytesOf = (requests: readonly RequestEvent[]): number =>
  requests.reduce((sum, request) => sum + (carriedBytes(request) ?? 0), 0);

const isProbe = ({ type }: RequestEvent): boolean => type === 'probe';

const isArrivedSegment = ({ type, mediaType, outcome }: RequestEvent): boolean =>
  type === 'media' && (mediaType === 'video' || mediaType === 'audio') && outcome === 'ok';

const pathwaySwitches: Metric = {
  id: 'pathway-switches',
  label: 'pathway switches',
  meaning: 'number of choices of the steering policy that named another pathway than the choice before',
  unit: '',
  better: null,
  parts: 'counts',
  paper: OURS,
  unknown: NOT_STEERED,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const changes = eventsOf(log, 'steering').filter(
      ({ fromPathway, pathway }) => fromPathway !== undefined && fromPathway !== pathway,
    );
    return {
      value: changes.length,
      by: countsBy(changes, ({ fromPathway, pathway }) => `${fromPathway!} → ${pathway}`),
    };
  },
};

const probeBytes: Metric = {
  id: 'probe-bytes',
  label: 'probe bytes',
  meaning:
    'bytes of the bodies of all requests of type probe, with the check of each pathway before its use; by pathway',
  unit: 'B',
  better: 'lower',
  parts: 'counts',
  paper: OURS,
  unknown: NOT_STEERED,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const probes = eventsOf(log, 'request').filter(isProbe);
    const names = [...new Set(probes.map(({ pathway }) => pathway ?? 'unknown'))].sort();
    const bytesOver = (name: string): number =>
      bytesOf(probes.filter(({ pathway }) => (pathway ?? 'unknown') === name));
    return {
      value: bytesOf(probes),
      by: Object.fromEntries(names.map((name) => [name, bytesOver(name)] as const)),
    };
  },
};

const probeShare: Metric = {
  id: 'probe-share',
  label: 'probe share',
  meaning: 'share of the bytes of probes in the bytes of the bodies of all requests',
  unit: '%',
  better: 'lower',
  decimals: 2,
  paper: OURS,
  unknown: `${NOT_STEERED}, or no byte was received`,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const requests = eventsOf(log, 'request');
    const all = bytesOf(requests);
    return all === 0
      ? unmeasured('No request has a known number of bytes.')
      : { value: (100 * bytesOf(requests.filter(isProbe))) / all };
  },
};

const rescuedSegments: Metric = {
  id: 'rescued-segments',
  label: 'rescued segments',
  meaning:
    'number of segments of which a part was requested over one pathway and the rest over another; a segment that is requested anew from its first byte is another one',
  unit: '',
  better: null,
  paper: OURS,
  unknown: NOT_STEERED,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const rests = eventsOf(log, 'request').filter(({ continues }) => continues !== undefined);
    const ids = new Set(rests.map(({ id }) => id));
    // The rest of a rest belongs to the same segment.
    return { value: rests.filter(({ continues }) => !ids.has(continues!)).length };
  },
};

const otherPathwayShare: Metric = {
  id: 'other-pathway-share',
  label: 'other pathways',
  meaning:
    'share of the audio and video segments that arrived over another pathway than the MPD’s own, by the pathway of the last byte; with the share of each pathway',
  unit: '%',
  better: null,
  parts: 'protocols',
  paper: OURS,
  unknown: `${NOT_STEERED}, or no segment arrived`,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const main = mainPathway(log);
    const arrived = eventsOf(log, 'request').filter(
      (request) => isArrivedSegment(request) && request.pathway !== undefined,
    );
    if (arrived.length === 0) return unmeasured('No segment arrived over a known pathway.');
    const counts = Object.entries(countsBy(arrived, ({ pathway }) => pathway!)).sort();
    const by: Record<string, number> = Object.fromEntries(
      counts.map(([name, count]) => [name, (100 * count) / arrived.length] as const),
    );
    return { value: 100 - (by[main!] ?? 0), by };
  },
};

const wrongPathwayShare: Metric = {
  id: 'wrong-pathway-share',
  label: 'wrong pathway',
  meaning:
    'share of the requests for audio and video (each part of a rescued segment is one) that began over another pathway than an oracle would use: the first pathway without HTTP/3 while the link of the lab limits or blocks UDP, to whatever rate, and the MPD’s own at all other times',
  unit: '%',
  better: 'lower',
  paper: 'ours: against the policy oracle of docs/steering.md',
  unknown: `${NOT_STEERED}, the session did not use a link of the lab, every pathway offers HTTP/3, or no segment was requested`,
  of(log) {
    if (!isSteered(log)) return unmeasured(UNSTEERED);
    const schedule = oracleSchedule(log);
    if (schedule === null)
      return unmeasured(
        'What an oracle would use is not known: no link of the lab, or no pathway without HTTP/3.',
      );
    const requests = pathwayRequests(log);
    return requests.length === 0
      ? unmeasured('No segment was requested over a known pathway.')
      : { value: (100 * wrongRequests(requests, schedule).length) / requests.length };
  },
};

interface Timed extends Pick<Metric, 'id' | 'label' | 'meaning' | 'unknown'> {
  /** Computes a time for each limit that counts, in ms; null where the timed event never happened. */
  readonly times: (
    requests: readonly PathwayRequest[],
    known: { readonly limits: readonly UdpLimit[]; readonly main: string },
  ) => (number | null)[];
  /** Why a session has no value though UDP was limited: no limit counts. */
  readonly none: string;
  /** Why a session has no value though a limit counts: the timed event never happened. */
  readonly never: string;
}

/** A time that needs to know when the network limited UDP: a mean over the limits. */
const timedMetric = ({ times, none, never, ...naming }: Timed): Metric => ({
  ...naming,
  unit: 's',
  better: 'lower',
  decimals: 1,
  paper: 'ours: the limits of UDP as the link of the lab set them',
  of(log): Measured {
    const main = mainPathway(log);
    if (main === null || !isSteered(log)) return unmeasured(UNSTEERED);
    const limits = udpLimits(log);
    if (limits === null) return unmeasured('The session did not use a link of the lab.');
    if (limits.length === 0) return unmeasured('UDP was never limited.');
    const all = times(pathwayRequests(log), { limits, main });
    const known = all.filter((each) => each !== null);
    const mean = meanOf(known);
    if (mean === null) return unmeasured(all.length === 0 ? none : never);
    const value = secondsFromMs(mean);
    if (all.length === 1) return { value };
    const others = known.length < all.length ? ` of ${all.length}; in the others it never happened` : '';
    return { value, note: `Mean over ${formatCount(known.length, 'limit')}${others}.` };
  },
});

const timeToLeave = timedMetric({
  id: 'time-to-leave',
  label: 'time to leave',
  meaning:
    'time from the first moment at which the link of the lab limited or blocked UDP while a request for audio or video ran over the MPD’s own pathway, to the start of the next such request over another pathway within the limit; mean over the limits',
  unknown: `${NOT_STEERED}, UDP was not limited by a link of the lab, no media ran over the MPD’s own pathway during a limit, or it did not leave before the limit ended`,
  times: timesToLeave,
  none: 'No media ran over the MPD’s own pathway while UDP was limited.',
  never: 'Media stayed on the MPD’s own pathway until the limit of UDP ended.',
});

const timeToReturn = timedMetric({
  id: 'time-to-return',
  label: 'time to return',
  meaning:
    'time from the end of a limit of UDP by the link of the lab to the start of the first request for audio or video over the MPD’s own pathway that no such request over another pathway follows until the next limit; mean over the limits in which another pathway was used',
  unknown: `${NOT_STEERED}, no limit of UDP by a link of the lab ended during playback, no other pathway was used in it, or it did not return`,
  times: timesToReturn,
  none: 'No limit of UDP in which media left the MPD’s own pathway ended during playback.',
  never: 'Media did not return to the MPD’s own pathway to stay.',
});

/** What a steering policy did, and how well; a report shows these by arm where arms are steered. */
export const steeringMetrics: readonly Metric[] = [
  pathwaySwitches,
  otherPathwayShare,
  wrongPathwayShare,
  timeToLeave,
  timeToReturn,
  rescuedSegments,
  probeBytes,
  probeShare,
];
