import { formatCount, formatMbps } from '../../shared/format.ts';
import { isStall } from '../../shared/stalls.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { DecisionEvent, RequestEvent, StallEvent, TransportEvent } from '../../telemetry/event.ts';
import { hasFailed } from './failedRequests.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { kept, type Kept } from './kept.ts';
import { formatFailure, lasting, overProtocol, formatRequest } from './format.ts';

const ID = 'stall';
const MAX = 5;
const MAX_RECENT = 32;

interface Stall {
  readonly event: StallEvent;
  /** Requests that were on their way when playback ran dry. */
  inFlight: number;
  longest: RequestEvent | null;
  /** The last one that had ended by then. */
  before: RequestEvent | null;
  /** The decision that `longest` follows; null where none is known. */
  decision: DecisionEvent | null;
  /** The race of `longest` whose connection died under it, as the NetLog has it; null where none did. */
  lost: Race | null;
}

type Race = TransportEvent['races'][number];

/** The latest events of two kinds. A request is recorded when it ends, before or after the stall that it fed. */
interface Recent {
  readonly requests: RequestEvent[];
  readonly decisions: DecisionEvent[];
}

/** The longest stalls, what playback was waiting for, and why that took so long. */
export const stalls: Diagnostic = {
  id: ID,
  label: 'stalls',
  watch() {
    const known = kept<Stall>(MAX, ({ event }) => event.durationMs ?? Infinity);
    const recent: Recent = { requests: [], decisions: [] };
    return {
      see(event) {
        // Nobody knows yet how long one will be that has not ended.
        if (event.kind === 'stall' && isStall(event.durationMs ?? Infinity))
          known.add(stallOf(event, recent));
        if (event.kind === 'decision') push(recent.decisions, event);
        if (event.kind === 'transport') for (const stall of known.items) feedRace(stall, event);
        if (event.kind !== 'request' || event.type !== 'media') return;
        push(recent.requests, event);
        for (const stall of known.items) feed(stall, event, recent);
      },
      findings(open) {
        const requests = open.filter((event) => event.kind === 'request' && event.type === 'media');
        const now = open.filter((event) => event.kind === 'stall').map((each) => stallOf(each, recent));
        const found = (stall: Stall): Finding => finding(withOpen(stall, requests as RequestEvent[], recent));
        return [
          ...known.items.map(found),
          ...now.map((stall) => ({ ...found(stall), isCurrent: true })),
          ...rest(known),
        ];
      },
    };
  },
};

function push<Item>(items: Item[], item: Item): void {
  items.push(item);
  if (items.length > MAX_RECENT) items.shift();
}

function stallOf(event: StallEvent, recent: Recent): Stall {
  const stall: Stall = { event, inFlight: 0, longest: null, before: null, decision: null, lost: null };
  for (const request of recent.requests) feed(stall, request, recent);
  return stall;
}

function withOpen(stall: Stall, open: readonly RequestEvent[], recent: Recent): Stall {
  const copy = { ...stall };
  for (const request of open) feed(copy, request, recent);
  return copy;
}

/** A log has races after all requests (`joinTransport.ts`). */
function feedRace(stall: Stall, { requestId, races }: TransportEvent): void {
  if (stall.longest?.id === requestId) stall.lost ??= races.find(({ netError }) => netError != null) ?? null;
}

function feed(stall: Stall, request: RequestEvent, { decisions }: Recent): void {
  const { atMs } = stall.event;
  if (request.atMs > atMs) return;
  if ((request.endMs ?? Infinity) <= atMs) return void (stall.before = request);
  stall.inFlight += 1;
  if (stall.longest && tookMs(request) <= tookMs(stall.longest)) return;
  stall.longest = request;
  stall.decision = decisions.findLast((decision) => leadTo(decision, request)) ?? null;
}

const leadTo = (decision: DecisionEvent, { id, mediaType, segment, rung }: RequestEvent): boolean =>
  decision.requestId === null
    ? decision.mediaType === mediaType && decision.segment === segment && decision.rung === rung
    : decision.requestId === id;

const tookMs = ({ atMs, endMs }: RequestEvent): number => (endMs ?? Infinity) - atMs;

function finding(stall: Stall): Finding {
  const { event, longest, lost } = stall;
  const { durationMs } = event;
  const what =
    durationMs === null
      ? 'Playback stalled and has not gone on since'
      : `Playback stalled for ${lasting(durationMs)}`;
  const why = longest ? cause(stall, longest) : `no media request was in flight then${formatBefore(stall)}`;
  return {
    id: `${ID}:${event.id}`,
    severity: 'problem',
    sentence: `${what}; ${why}${formatLoss(lost)}`,
    fix: null,
    atMs: event.atMs,
  };
}

const formatBefore = ({ before }: Stall): string =>
  before && hasFailed(before)
    ? `: the last one before, ${formatRequest(before)}, got ${formatFailure(before)}`
    : '';

function cause({ inFlight, decision }: Stall, longest: RequestEvent): string {
  const one = formatRequest(longest);
  const who =
    inFlight === 1 ? `${one} was in flight then, it` : `${inFlight} requests were in flight then, ${one}`;
  if (longest.endMs === null) return `${who} has not ended yet`;
  const took = lasting(tookMs(longest));
  if (hasFailed(longest)) return `${who} got ${formatFailure(longest)} after ${took}`;
  if (longest.outcome === 'aborted') return `${who} was aborted after ${took}`;
  return `${who} took ${took}${overProtocol(longest.protocol)}${tooSlow(longest, decision)}`;
}

/** A wait for the first byte below this share of a request is part of every request. */
const MIN_WAIT_SHARE = 0.1;

/**
 * Where a segment was slower than its own playing: how long nothing came, at what rate it came then, and what the rule had
 * expected; "" elsewhere. A wait is no low rate: what made it is another fault than what makes a rate low.
 */
function tooSlow(request: RequestEvent, decision: DecisionEvent | null): string {
  const { mediaDurationMs, continues } = request;
  const sizeBytes = carriedBytes(request);
  // A part of a segment has a part of its bytes.
  if (continues !== undefined || sizeBytes === null || !mediaDurationMs) return '';
  if (tookMs(request) <= mediaDurationMs) return '';
  const { came, kbps } = cameOf(request, sizeBytes);
  const rates = `${came}, and playing it takes ${formatMbps((8 * sizeBytes) / mediaDurationMs)}`;
  const expectedKbps = decision?.estimateKbps ?? 0;
  return expectedKbps > kbps ? `${rates}. The rule had estimated ${formatMbps(expectedKbps)}` : rates;
}

/** The wait for the first byte, where it is known and long, and the rate after it. */
function cameOf(request: RequestEvent, receivedBytes: number): { came: string; kbps: number } {
  const { atMs, firstByteMs } = request;
  const waitMs = (firstByteMs ?? atMs) - atMs;
  const kbps = (8 * receivedBytes) / Math.max(1, tookMs(request) - waitMs);
  const came =
    waitMs > MIN_WAIT_SHARE * tookMs(request)
      ? `: ${lasting(waitMs)} until the first byte, then ${formatMbps(kbps)}`
      : `: ${formatMbps(kbps)} came`;
  return { came, kbps };
}

const formatLoss = (lost: Race | null): string =>
  lost
    ? `. The ${/^main/.test(lost.outcome) ? 'TCP' : 'QUIC'} connection that it was sent over first died (net error ${lost.netError})`
    : '';

function rest({ leftOut }: Kept<Stall>): Finding[] {
  if (leftOut === 0) return [];
  const sentence = `Playback stalled ${formatCount(leftOut, 'more time')}`;
  return [{ id: `${ID}:more`, severity: 'problem', sentence, fix: null, atMs: null }];
}
