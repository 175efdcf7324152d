import { formatCount } from '../../shared/format.ts';
import { isStall } from '../../shared/stalls.ts';
import { mbpsFromKbps } from '../../shared/units.ts';
import { carriedBytes } from '../../telemetry/carriedBytes.ts';
import type { DecisionEvent, RequestEvent, StallEvent } from '../../telemetry/event.ts';
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
  /** The decision that `longest` follows; null where none is known. */
  decision: DecisionEvent | null;
}

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
        if (event.kind !== 'request' || event.type !== 'media') return;
        push(recent.requests, event);
        for (const stall of known.items) feed(stall, event, recent);
      },
      findings(open) {
        const requests = open.filter((event) => event.kind === 'request' && event.type === 'media');
        const now = open.filter((event) => event.kind === 'stall').map((each) => stallOf(each, recent));
        const withRequests = (stall: Stall): Stall => withOpen(stall, requests as RequestEvent[], recent);
        return [
          ...known.items.map((stall) => finding(withRequests(stall))),
          ...now.map((stall) => ({ ...finding(withRequests(stall)), isCurrent: true })),
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
  const stall: Stall = { event, inFlight: 0, longest: null, decision: null };
  for (const request of recent.requests) feed(stall, request, recent);
  return stall;
}

function withOpen(stall: Stall, open: readonly RequestEvent[], recent: Recent): Stall {
  const copy = { ...stall };
  for (const request of open) feed(copy, request, recent);
  return copy;
}

function feed(stall: Stall, request: RequestEvent, { decisions }: Recent): void {
  const { atMs } = stall.event;
  if (request.atMs > atMs || (request.endMs ?? Infinity) <= atMs) return;
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

function finding({ event, inFlight, longest, decision }: Stall): Finding {
  const { durationMs } = event;
  const what =
    durationMs === null
      ? 'Playback stalled and has not gone on since'
      : `Playback stalled for ${lasting(durationMs)}`;
  return {
    id: `${ID}:${event.id}`,
    severity: 'problem',
    sentence: `${what}; ${longest ? cause(longest, inFlight, decision) : 'no media request was in flight then'}`,
    fix: null,
    atMs: event.atMs,
  };
}

function cause(longest: RequestEvent, inFlight: number, decision: DecisionEvent | null): string {
  const one = formatRequest(longest);
  const who =
    inFlight === 1 ? `${one} was in flight then, it` : `${inFlight} requests were in flight then, ${one}`;
  if (longest.endMs === null) return `${who} has not ended yet`;
  const took = lasting(tookMs(longest));
  if (hasFailed(longest)) return `${who} got ${formatFailure(longest)} after ${took}`;
  if (longest.outcome === 'aborted') return `${who} was aborted after ${took}`;
  return `${who} took ${took}${overProtocol(longest.protocol)}${tooSlow(longest, decision)}`;
}

/** What came a second where a segment was slower than its own playing, and what the rule had expected; "" elsewhere. */
function tooSlow(request: RequestEvent, decision: DecisionEvent | null): string {
  const { mediaDurationMs, continues } = request;
  const sizeBytes = carriedBytes(request);
  // A part of a segment has a part of its bytes.
  if (continues !== undefined || sizeBytes === null || !(mediaDurationMs !== null && mediaDurationMs > 0))
    return '';
  const cameKbps = (8 * sizeBytes) / tookMs(request);
  const neededKbps = (8 * sizeBytes) / mediaDurationMs;
  if (cameKbps >= neededKbps) return '';
  const rates = `: ${mbps(cameKbps)} came, and playing it takes ${mbps(neededKbps)}`;
  const expectedKbps = decision?.estimateKbps ?? null;
  return expectedKbps !== null && expectedKbps > cameKbps
    ? `${rates}. The rule had estimated ${mbps(expectedKbps)}`
    : rates;
}

const mbps = (kbps: number): string => `${mbpsFromKbps(kbps).toFixed(kbps < 1000 ? 2 : 1)} Mbit/s`;

function rest({ leftOut }: Kept<Stall>): Finding[] {
  if (leftOut.count === 0) return [];
  // Only a made-up file has so many stalls without an end that one is left out.
  const inAll = Number.isFinite(leftOut.weight) ? `, ${lasting(leftOut.weight)} in all` : '';
  const sentence = `Playback stalled ${formatCount(leftOut.count, 'more time')}${inAll}`;
  return [{ id: `${ID}:more`, severity: 'problem', sentence, fix: null, atMs: null }];
}
