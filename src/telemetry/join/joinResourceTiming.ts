import type { TimingEntry } from './resourceTiming.ts';

/** A request of the player as far as the join needs it. Times are ms on the page's `performance.now()` clock. */
export interface SentRequest {
  /** As sent: absolute, after every change that CMCD or other interceptors made. */
  readonly url: string;
  readonly sentMs: number;
  /** When the player saw the end; null while it runs. */
  readonly endMs: number | null;
  /** Whether the whole answer arrived: an aborted request's entry may end a little after the abort was seen. */
  readonly complete: boolean;
  /** Body bytes after content decoding; null when not known exactly (no, half or an aborted body). */
  readonly bodyBytes: number | null;
}

/**
 * The entry of a request; 'none' when none fits (yet); 'unclear' when it may be one of several, or another's. Unclear
 * may become clear when the others end. A guess is worse than a gap: it puts the protocol of one request on another.
 */
type Joined = TimingEntry | 'none' | 'unclear';

/**
 * `performance.now()` and entries are rounded to 0.1 ms in an ordinary page (0.005 ms when isolated), each on its
 * own; 1 ms covers browsers that round more coarsely (Firefox).
 */
const CLOCK_MS = 1;
/** Seen: an aborted request's entry ends 0.2–0.3 ms after `onabort` in an idle page (Chromium 156). */
const ABORT_MS = 250;
/** The player sees the end of a response at most this late; an older entry is not that of a request in flight. */
const NOTICED_MS = 500;

/**
 * Picks the entry of `request` among entries that nobody claimed. `requests` are all that have none yet, `request`
 * among them, in the order of sending.
 *
 * Key: URL, time (an entry starts no earlier than its request was sent and ends no later than the player saw the
 * end), body size (tells byte ranges of one URL apart), and start order: requests of one URL start in the order they
 * were sent, though up to 40 ms later when many are sent at once (seen in Chromium 156 over http/1.1). Of all
 * pairings that keep the order, those that pair the most count; the request has its entry when they all agree on it.
 */
export function joinResourceTiming(
  request: SentRequest,
  {
    requests,
    entries,
    nowMs,
  }: { requests: readonly SentRequest[]; entries: readonly TimingEntry[]; nowMs: number },
): Joined {
  const { entries: near, requests: rivals } = neighbours(request, { requests, entries, nowMs });
  const fitting = near.filter((entry) => fits(entry, request, nowMs));
  if (fitting.length === 0) return 'none';
  const pairs = (some: readonly SentRequest[], others: readonly TimingEntry[]): number =>
    maxPairs(some, others, nowMs);
  const max = pairs(rivals, near);
  const at = rivals.indexOf(request);
  const without = rivals.filter((each) => each !== request);
  if (pairs(without, near) === max) return 'unclear';
  const possible = fitting.filter((entry) => {
    const from = near.indexOf(entry);
    const before = pairs(rivals.slice(0, at), near.slice(0, from));
    return before + 1 + pairs(rivals.slice(at + 1), near.slice(from + 1)) === max;
  });
  const [only] = possible;
  return only && possible.length === 1 && !hasDuplicate(only, fitting) ? only : 'unclear';
}

interface Candidates {
  readonly requests: readonly SentRequest[];
  readonly entries: readonly TimingEntry[];
}

/** Entries that may be the request's, requests that may own those, and so on; each in the order of starting. */
function neighbours(
  request: SentRequest,
  { requests, entries, nowMs }: Candidates & { nowMs: number },
): Candidates {
  let mine: readonly SentRequest[] = [request];
  for (;;) {
    const near = entries.filter((entry) => mine.some((each) => fits(entry, each, nowMs)));
    const owners = requests.filter(
      (each) => each === request || near.some((entry) => fits(entry, each, nowMs)),
    );
    if (owners.length === mine.length)
      return { requests: owners, entries: near.sort((one, other) => one.startTime - other.startTime) };
    mine = owners;
  }
}

/** Another entry that started at the very same time: their order says nothing. */
function hasDuplicate(entry: TimingEntry, among: readonly TimingEntry[]): boolean {
  return among.some((other) => other !== entry && other.startTime === entry.startTime);
}

/** Most pairs that keep the order on both sides (longest common subsequence with `fits` for equality). */
function maxPairs(requests: readonly SentRequest[], entries: readonly TimingEntry[], nowMs: number): number {
  let row = new Array<number>(entries.length + 1).fill(0);
  for (const request of requests) {
    const next = [0];
    entries.forEach((entry, index) => {
      const paired = fits(entry, request, nowMs) ? (row[index] ?? 0) + 1 : 0;
      next.push(Math.max(paired, row[index + 1] ?? 0, next[index] ?? 0));
    });
    row = next;
  }
  return row[entries.length] ?? 0;
}

function fits(entry: TimingEntry, request: SentRequest, nowMs: number): boolean {
  return (
    entry.name === request.url &&
    entry.startTime >= request.sentMs - CLOCK_MS &&
    endFits(entry, request, nowMs) &&
    sizeFits(entry, request)
  );
}

function endFits(
  { startTime, responseEnd }: TimingEntry,
  { endMs, complete }: SentRequest,
  nowMs: number,
): boolean {
  if (endMs === null) return responseEnd >= nowMs - NOTICED_MS;
  if (startTime > endMs + CLOCK_MS) return false;
  return responseEnd <= endMs + (complete ? CLOCK_MS : ABORT_MS);
}

/** 0 is a hidden size (no Timing-Allow-Origin) or an empty body: it excludes nothing. */
function sizeFits({ decodedBodySize }: TimingEntry, { bodyBytes }: SentRequest): boolean {
  return decodedBodySize === 0 || bodyBytes === null || bodyBytes === decodedBodySize;
}
