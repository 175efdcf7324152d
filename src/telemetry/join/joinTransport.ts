import type { Draft, RequestEvent, TransportEvent } from '../event.ts';
import { redactUrl, withoutFragment } from '../redactUrl.ts';
import type { SessionLog } from '../schema/sessionLog.ts';

/** A request as a transport source recorded it. Times are Unix ms. */
export interface Candidate {
  readonly url: string;
  readonly method: string;
  readonly startUnixMs: number;
  readonly endUnixMs: number | null;
  /** Body bytes; null where the transport source does not report them. */
  readonly receivedBytes: number | null;
}

/**
 * Requests that begin further apart are not the same. The clocks of page and network stack agree within some ms
 * (e2e/specs/clocks.alone.spec.ts); a page whose main thread is busy sends late.
 */
const MAX_APART_MS = 2000;
/** Sizes tell byte ranges of one URL apart that were asked for at once. */
const OTHER_SIZE_MS = 1000;

/**
 * Finds the request of the session that each candidate is: same URL (as the log keeps it) and method, nearest in time,
 * each at most once, best fits first. Answers by id of the session's request: one candidate, or those of its ranges in
 * their order.
 */
export function matchRequests<Seen extends Candidate>(
  log: Pick<SessionLog, 'clock' | 'events'>,
  candidates: readonly Seen[],
): ReadonlyMap<string, readonly Seen[]> {
  const byKey = new Map<string, Seen[]>();
  for (const seen of candidates) {
    const same = byKey.get(keyOf(seen));
    if (same) same.push(seen);
    else byKey.set(keyOf(seen), [seen]);
  }
  const fits = log.events
    .filter((event) => event.kind === 'request')
    .flatMap((request) => {
      const same = byKey.get(keyOf(request)) ?? [];
      return targetsOf(request).flatMap((target) => fitsOf(target, same, log.clock.startedAtUnixMs));
    });
  return byRequest(bestFirst(fits));
}

/** What one candidate is: a request, or one of the ranges in which it went out. */
interface Target {
  readonly id: string;
  /** Of the range among those of its request. */
  readonly place: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly sizeBytes: number | null;
}

function targetsOf(request: RequestEvent): Target[] {
  const { id, atMs, ranges, encodedBodyBytes, receivedBytes } = request;
  if (!ranges) {
    const endMs = request.lastByteMs ?? request.endMs;
    const sizeBytes = encodedBodyBytes ?? receivedBytes;
    return [{ id, place: 0, startMs: request.startMs ?? atMs, endMs, sizeBytes }];
  }
  return ranges.map(({ startMs, lastByteMs, receivedBytes: sizeBytes }, place) => ({
    ...{ id, place, startMs: startMs ?? atMs, endMs: lastByteMs, sizeBytes },
  }));
}

interface Fit<Seen> {
  readonly target: Target;
  readonly seen: Seen;
  readonly apartMs: number;
}

const keyOf = ({ url, method }: Pick<Candidate, 'url' | 'method'>): string =>
  `${method} ${withoutFragment(redactUrl(url))}`;

function fitsOf<Seen extends Candidate>(
  target: Target,
  candidates: readonly Seen[],
  zeroUnixMs: number,
): Fit<Seen>[] {
  const start = zeroUnixMs + target.startMs;
  return candidates
    .filter(({ startUnixMs }) => Math.abs(startUnixMs - start) <= MAX_APART_MS)
    .map((seen) => ({
      target,
      seen,
      apartMs:
        Math.abs(seen.startUnixMs - start) +
        (target.endMs === null || seen.endUnixMs === null
          ? 0
          : Math.abs(seen.endUnixMs - zeroUnixMs - target.endMs)) +
        (sizesDiffer(target, seen) ? OTHER_SIZE_MS : 0),
    }));
}

const sizesDiffer = ({ sizeBytes }: Target, seen: Candidate): boolean =>
  sizeBytes !== null && seen.receivedBytes !== null && sizeBytes !== seen.receivedBytes;

function bestFirst<Seen>(fits: readonly Fit<Seen>[]): Map<Target, Seen> {
  const found = new Map<Target, Seen>();
  const taken = new Set<Seen>();
  for (const { target, seen } of [...fits].sort((a, b) => a.apartMs - b.apartMs)) {
    if (found.has(target) || taken.has(seen)) continue;
    found.set(target, seen);
    taken.add(seen);
  }
  return found;
}

function byRequest<Seen>(found: ReadonlyMap<Target, Seen>): Map<string, Seen[]> {
  const matched = new Map<string, Seen[]>();
  const inPlace = [...found].toSorted(([one], [other]) => one.place - other.place);
  for (const [{ id }, seen] of inPlace) matched.set(id, [...(matched.get(id) ?? []), seen]);
  return matched;
}

/** Returns the log with the events of one transport source; they replace the earlier events of that source. */
export function withTransport(
  log: SessionLog,
  source: TransportEvent['source'],
  drafts: readonly Draft<TransportEvent>[],
): SessionLog {
  const kept = log.events.filter((event) => event.kind !== 'transport' || event.source !== source);
  const reported = drafts.map((draft, index) => ({ ...draft, id: `x-${source}-${index + 1}` }));
  return { ...log, events: [...kept, ...reported] };
}
