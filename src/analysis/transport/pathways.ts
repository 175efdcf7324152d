/** What a session with steering requested over which pathway, and what the network did to UDP meanwhile. */
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf, oncePerLog } from '../timeline/log.ts';

/** Id of the MPD's own pathway; null where nothing chose between pathways. */
export const mainPathway = ({ environment }: Pick<SessionLog, 'environment'>): string | null =>
  environment.steering?.pathways[0]?.id ?? null;

/** A request for a segment of audio or video, or for a part of one, ms of session time. */
export interface PathwayRequest {
  readonly pathway: string;
  readonly startMs: number;
  /** Infinity for a request that was in flight when the log ended. */
  readonly endMs: number;
}

/** The requests for audio and video that name their pathway, by their starts. */
export const pathwayRequests = oncePerLog((log): readonly PathwayRequest[] =>
  eventsOf(log, 'request')
    .filter(({ type, mediaType }) => type === 'media' && (mediaType === 'video' || mediaType === 'audio'))
    .flatMap(({ pathway, startMs, atMs, lastByteMs, endMs }) =>
      pathway === undefined
        ? []
        : [{ pathway, startMs: startMs ?? atMs, endMs: lastByteMs ?? endMs ?? Infinity }],
    )
    .sort(
      (one, other) =>
        one.startMs - other.startMs || one.endMs - other.endMs || (one.pathway < other.pathway ? -1 : 1),
    ),
);

/** A time in which the link of the lab limited or blocked UDP, ms of session time. */
export interface UdpLimit {
  /** Below 0 for a limit that began before the session. */
  readonly fromMs: number;
  /** null: until the end. */
  readonly untilMs: number | null;
}

/** The limits of UDP in order; another rate begins no new one. null where the session used no link of the lab. */
export function udpLimits({
  environment,
  clock,
}: Pick<SessionLog, 'environment' | 'clock'>): UdpLimit[] | null {
  if (!environment.linkRun) return null;
  const limits: UdpLimit[] = [];
  let fromMs: number | null = null;
  for (const { atUnixMs, kbps } of environment.linkRun.udpChanges) {
    const atMs = atUnixMs - clock.startedAtUnixMs;
    if (kbps !== null) fromMs ??= atMs;
    else if (fromMs !== null) {
      limits.push({ fromMs, untilMs: atMs });
      fromMs = null;
    }
  }
  return fromMs === null ? limits : [...limits, { fromMs, untilMs: null }];
}

/** A pathway, and the session time from which it is the right one. */
interface ScheduleEntry {
  readonly fromMs: number;
  readonly pathway: string;
}

/**
 * What the policy `oracle` would be given for this session: while UDP is limited, the first pathway without HTTP/3, at all
 * other times the MPD's own. null where the limits are not known, or all pathways offer HTTP/3.
 */
export function oracleSchedule(log: Pick<SessionLog, 'environment' | 'clock'>): ScheduleEntry[] | null {
  const limits = udpLimits(log);
  const main = mainPathway(log);
  const tcp = log.environment.steering?.pathways.find(({ carries }) => carries === 'tcp')?.id;
  if (limits === null || main === null || tcp === undefined) return null;
  return [
    { fromMs: Math.min(0, limits[0]?.fromMs ?? 0), pathway: main },
    ...limits.flatMap(({ fromMs, untilMs }) => [
      { fromMs, pathway: tcp },
      ...(untilMs === null ? [] : [{ fromMs: untilMs, pathway: main }]),
    ]),
  ];
}

/** The requests that were sent over another pathway than the schedule names at their start. */
export const wrongRequests = (
  requests: readonly PathwayRequest[],
  schedule: readonly ScheduleEntry[],
): PathwayRequest[] =>
  requests.filter(({ pathway, startMs }) => {
    const due = schedule.findLast(({ fromMs }) => fromMs <= startMs) ?? schedule[0];
    return due !== undefined && due.pathway !== pathway;
  });

interface Limited {
  readonly limits: readonly UdpLimit[];
  readonly main: string;
}

/**
 * How long media stayed with the limited pathway, in ms, for each limit in which media ran over it: from the first moment
 * at which the limit acted and a media request over `main` ran, to the start of the next media request over another pathway.
 * null for a limit that ended first.
 */
export const timesToLeave = (
  requests: readonly PathwayRequest[],
  { limits, main }: Limited,
): (number | null)[] =>
  limits.flatMap(({ fromMs, untilMs }) => {
    const endMs = untilMs ?? Infinity;
    const limited = requests.find(
      (each) => each.pathway === main && each.startMs < endMs && each.endMs > fromMs,
    );
    if (!limited) return [];
    const sinceMs = Math.max(fromMs, limited.startMs);
    const next = requests.find(
      ({ pathway, startMs }) => pathway !== main && startMs >= sinceMs && startMs < endMs,
    );
    return [next ? next.startMs - sinceMs : null];
  });

/**
 * How long media stayed away from `main` after each limit, in ms: from the end of the limit to the start of the first media
 * request over `main` that no media request over another pathway follows, until the next limit. For the limits in which
 * media was requested over another pathway, and after which media was requested at all. null where it did not return.
 */
export const timesToReturn = (
  requests: readonly PathwayRequest[],
  { limits, main }: Limited,
): (number | null)[] =>
  limits.flatMap(({ fromMs, untilMs }, place) => {
    if (untilMs === null) return [];
    const startedIn = (from: number, until: number): PathwayRequest[] =>
      requests.filter(({ startMs }) => startMs >= from && startMs < until);
    const isAway = ({ pathway }: PathwayRequest): boolean => pathway !== main;
    const after = startedIn(untilMs, limits[place + 1]?.fromMs ?? Infinity);
    if (after.length === 0 || !startedIn(fromMs, untilMs).some(isAway)) return [];
    const back = after[after.findLastIndex(isAway) + 1];
    return [back ? back.startMs - untilMs : null];
  });
