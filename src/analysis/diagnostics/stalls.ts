import { formatCount } from '../../shared/format.ts';
import { isStall } from '../../shared/stalls.ts';
import type { RequestEvent, StallEvent } from '../../telemetry/event.ts';
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
}

/** The longest stalls, and what playback was waiting for. */
export const stalls: Diagnostic = {
  id: ID,
  label: 'stalls',
  watch() {
    const known = kept<Stall>(MAX, ({ event }) => event.durationMs ?? Infinity);
    // A request is recorded when it ends, before or after the stall that it fed.
    const recent: RequestEvent[] = [];
    return {
      see(event) {
        // Nobody knows yet how long one will be that has not ended.
        if (event.kind === 'stall' && isStall(event.durationMs ?? Infinity))
          known.add(stallOf(event, recent));
        if (event.kind !== 'request' || event.type !== 'media') return;
        recent.push(event);
        if (recent.length > MAX_RECENT) recent.shift();
        for (const stall of known.items) feed(stall, event);
      },
      findings(open) {
        const requests = open.filter((event) => event.kind === 'request' && event.type === 'media');
        const now = open.filter((event) => event.kind === 'stall').map((each) => stallOf(each, recent));
        const all = [...known.items, ...now].map((stall) => withOpen(stall, requests as RequestEvent[]));
        return [...all.map(finding), ...rest(known)];
      },
    };
  },
};

function stallOf(event: StallEvent, requests: readonly RequestEvent[]): Stall {
  const stall: Stall = { event, inFlight: 0, longest: null };
  for (const request of requests) feed(stall, request);
  return stall;
}

function withOpen(stall: Stall, open: readonly RequestEvent[]): Stall {
  const copy = { ...stall };
  for (const request of open) feed(copy, request);
  return copy;
}

function feed(stall: Stall, request: RequestEvent): void {
  const { atMs } = stall.event;
  if (request.atMs > atMs || (request.endMs ?? Infinity) <= atMs) return;
  stall.inFlight += 1;
  if (!stall.longest || tookMs(request) > tookMs(stall.longest)) stall.longest = request;
}

const tookMs = ({ atMs, endMs }: RequestEvent): number => (endMs ?? Infinity) - atMs;

function finding({ event, inFlight, longest }: Stall): Finding {
  const { durationMs } = event;
  const what =
    durationMs === null
      ? 'Playback stalled and has not gone on since'
      : `Playback stalled for ${lasting(durationMs)}`;
  return {
    id: `${ID}:${event.id}`,
    severity: 'problem',
    sentence: `${what}; ${longest ? cause(longest, inFlight) : 'no media request was in flight then'}`,
    fix: null,
    atMs: event.atMs,
  };
}

function cause(longest: RequestEvent, inFlight: number): string {
  const one = formatRequest(longest);
  const who =
    inFlight === 1 ? `${one} was in flight then, it` : `${inFlight} requests were in flight then, ${one}`;
  if (longest.endMs === null) return `${who} has not ended yet`;
  const took = lasting(tookMs(longest));
  if (hasFailed(longest)) return `${who} got ${formatFailure(longest)} after ${took}`;
  if (longest.outcome === 'aborted') return `${who} was aborted after ${took}`;
  return `${who} took ${took}${overProtocol(longest.protocol)}`;
}

function rest({ leftOut }: Kept<Stall>): Finding[] {
  if (leftOut.count === 0) return [];
  // Only a made-up file has so many stalls without an end that one is left out.
  const inAll = Number.isFinite(leftOut.weight) ? `, ${lasting(leftOut.weight)} in all` : '';
  const sentence = `Playback stalled ${formatCount(leftOut.count, 'more time')}${inAll}`;
  return [{ id: `${ID}:more`, severity: 'problem', sentence, fix: null, atMs: null }];
}
