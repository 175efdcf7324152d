import type { TimingEntry } from './timingEntry.ts';

/** A request of the player as far as the join needs it. Times are ms on the page's `performance.now()` clock. */
export interface SentRequest {
  /** As sent: absolute, after every change that CMCD or other interceptors made. */
  readonly url: string;
  readonly sentMs: number;
  /** When the player saw the end; null while it runs. */
  readonly endMs: number | null;
  /** Body bytes after content decoding; null when not known exactly (no, half or an aborted body). */
  readonly bodyBytes: number | null;
}

/**
 * The entry of a request, 'none' when none fits (yet), 'ambiguous' when several do and nothing tells them apart.
 * A guess is worse than a gap: a wrong pairing puts the protocol of one request on another.
 */
export type Joined = TimingEntry | 'none' | 'ambiguous';

/**
 * Clocks: `performance.now()` and entries are both rounded to 0.1 ms in an ordinary page (0.005 ms when isolated),
 * each on its own; 1 ms covers browsers that round more coarsely (Firefox).
 */
const CLOCK_MS = 1;

/**
 * Picks the entry of `request` among entries that nobody claimed. `rivals` are the other requests that still wait
 * for theirs or are in flight.
 *
 * Key: URL, then time (an entry starts no earlier than its request was sent and ends no later than the player saw
 * the end), then body size (tells byte ranges of one URL apart), then start order: an entry belongs to the newest
 * request that was sent before the entry starts, because sending is synchronous.
 */
export function joinResourceTiming(
  request: SentRequest,
  { entries, rivals }: { entries: readonly TimingEntry[]; rivals: readonly SentRequest[] },
): Joined {
  const mine = entries.filter((entry) => ownerOf(entry, request, rivals) === 'this');
  if (mine.length === 1) return mine[0] ?? 'none';
  if (mine.length > 1) return bySize(mine, request) ?? 'ambiguous';
  return entries.some((entry) => ownerOf(entry, request, rivals) === 'unclear') ? 'ambiguous' : 'none';
}

type Owner = 'this' | 'other' | 'unclear';

function ownerOf(entry: TimingEntry, request: SentRequest, rivals: readonly SentRequest[]): Owner {
  if (!fits(entry, request)) return 'other';
  const others = rivals.filter((rival) => fits(entry, rival));
  if (others.length === 0) return 'this';
  const newestMs = Math.max(...others.map(({ sentMs }) => sentMs));
  if (request.sentMs - newestMs > CLOCK_MS) return 'this';
  return newestMs - request.sentMs > CLOCK_MS ? 'other' : 'unclear';
}

function fits(entry: TimingEntry, request: SentRequest): boolean {
  return (
    entry.name === request.url &&
    entry.startTime >= request.sentMs - CLOCK_MS &&
    (request.endMs === null || entry.responseEnd <= request.endMs + CLOCK_MS) &&
    sizeFits(entry, request)
  );
}

/** 0 is a hidden size (no Timing-Allow-Origin) or an empty body: it excludes nothing. */
function sizeFits({ decodedBodySize }: TimingEntry, { bodyBytes }: SentRequest): boolean {
  return decodedBodySize === 0 || bodyBytes === null || bodyBytes === decodedBodySize;
}

/** Several entries in the window of one request (a repeat by somebody else in the page): only an exact size decides. */
function bySize(entries: readonly TimingEntry[], { bodyBytes }: SentRequest): TimingEntry | null {
  const exact = entries.filter(({ decodedBodySize }) => bodyBytes !== null && decodedBodySize === bodyBytes);
  return exact.length === 1 ? (exact[0] ?? null) : null;
}
