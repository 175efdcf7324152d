import type { TimingEntry } from './timingEntry.ts';

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
export type Joined = TimingEntry | 'none' | 'unclear';

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
  const same = requests.filter(({ url }) => url === request.url);
  const named = entries.filter(({ name }) => name === request.url).sort((a, b) => a.startTime - b.startTime);
  const fitting = named.filter((entry) => fits(entry, request, nowMs));
  if (fitting.length === 0) return 'none';
  const pairs = (some: readonly SentRequest[], others: readonly TimingEntry[]): number =>
    mostPairs(some, others, nowMs);
  const most = pairs(same, named);
  const at = same.indexOf(request);
  const possible = fitting.filter((entry) => {
    const from = named.indexOf(entry);
    return (
      pairs(same.slice(0, at), named.slice(0, from)) +
        1 +
        pairs(same.slice(at + 1), named.slice(from + 1)) ===
      most
    );
  });
  const dispensable = pairs(same.toSpliced(at, 1), named) === most;
  return possible.length === 1 && !dispensable ? (possible[0] ?? 'none') : 'unclear';
}

/** Most pairs that keep the order on both sides (longest common subsequence with `fits` for equality). */
function mostPairs(requests: readonly SentRequest[], entries: readonly TimingEntry[], nowMs: number): number {
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
    entry.startTime >= request.sentMs - CLOCK_MS && endFits(entry, request, nowMs) && sizeFits(entry, request)
  );
}

function endFits({ responseEnd }: TimingEntry, { endMs, complete }: SentRequest, nowMs: number): boolean {
  if (endMs === null) return responseEnd >= nowMs - NOTICED_MS;
  return responseEnd <= endMs + (complete ? CLOCK_MS : ABORT_MS);
}

/** 0 is a hidden size (no Timing-Allow-Origin) or an empty body: it excludes nothing. */
function sizeFits({ decodedBodySize }: TimingEntry, { bodyBytes }: SentRequest): boolean {
  return decodedBodySize === 0 || bodyBytes === null || bodyBytes === decodedBodySize;
}
