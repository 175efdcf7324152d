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
  log: Pick<SessionLog, 'events'> & { readonly clock: Pick<SessionLog['clock'], 'startedAtUnixMs'> },
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
    .flatMap(partsOf)
    .flatMap((part) => fitsOf(part, byKey.get(keyOf(part)) ?? [], log.clock.startedAtUnixMs));
  const matched = new Map<string, Seen[]>();
  for (const [{ id }, seen] of [...bestFirst(fits)].sort(([one], [other]) => one.place - other.place))
    matched.set(id, [...(matched.get(id) ?? []), seen]);
  return matched;
}

/** What one candidate is: a request, or one of its ranges, which then has `place` among them. */
interface Part extends RequestEvent {
  readonly place: number;
}

const partsOf = (request: RequestEvent): Part[] =>
  request.ranges?.map((range, place) => ({ ...request, encodedBodyBytes: null, ...range, place })) ?? [
    { ...request, place: 0 },
  ];

interface Fit<Seen> {
  readonly part: Part;
  readonly seen: Seen;
  readonly apartMs: number;
}

/** What a request of the session and its candidate have in common. */
export const keyOf = ({ url, method }: Pick<RequestEvent, 'url' | 'method'>): string =>
  `${method} ${withoutFragment(redactUrl(url))}`;

function fitsOf<Seen extends Candidate>(
  part: Part,
  candidates: readonly Seen[],
  zeroUnixMs: number,
): Fit<Seen>[] {
  const start = zeroUnixMs + (part.startMs ?? part.atMs);
  const end = part.lastByteMs ?? part.endMs;
  return candidates
    .filter(({ startUnixMs }) => Math.abs(startUnixMs - start) <= MAX_APART_MS)
    .map((seen) => ({
      part,
      seen,
      apartMs:
        Math.abs(seen.startUnixMs - start) +
        (end === null || seen.endUnixMs === null ? 0 : Math.abs(seen.endUnixMs - zeroUnixMs - end)) +
        (sizesDiffer(part, seen) ? OTHER_SIZE_MS : 0),
    }));
}

const sizesDiffer = ({ encodedBodyBytes, receivedBytes }: RequestEvent, seen: Candidate): boolean => {
  const size = encodedBodyBytes ?? receivedBytes;
  return size !== null && seen.receivedBytes !== null && size !== seen.receivedBytes;
};

function bestFirst<Seen>(fits: readonly Fit<Seen>[]): Map<Part, Seen> {
  const found = new Map<Part, Seen>();
  const taken = new Set<Seen>();
  for (const { part, seen } of [...fits].sort((a, b) => a.apartMs - b.apartMs)) {
    if (found.has(part) || taken.has(seen)) continue;
    found.set(part, seen);
    taken.add(seen);
  }
  return found;
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
