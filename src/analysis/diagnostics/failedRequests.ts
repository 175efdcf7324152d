import { formatCount } from '../../shared/format.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import type { Diagnostic, Finding } from './finding.ts';
import { formatFailure, lasting, overProtocol, formatRequest } from './format.ts';

const ID = 'failed-requests';
const MAX_WAITING = 200;

/** Failed requests of one cause, and what became of them. */
interface Cause {
  readonly words: string;
  readonly first: RequestEvent;
  count: number;
  succeeded: number;
  /** Longest time from a failure to the end of the retry that succeeded. */
  longestMs: number;
  /** " over h2" and the like; at most one per protocol. */
  readonly over: Set<string>;
}

interface Failure {
  readonly cause: Cause;
  readonly endMs: number;
}

/** By cause: HTTP status, no complete response, time-out. A request that the player itself took back did not fail. */
export const failedRequests: Diagnostic = {
  id: ID,
  label: 'failed requests',
  watch() {
    const causes = new Map<string, Cause>();
    const waiting = new Map<string, Failure[]>();
    // The cause of the latest failure of what is played, until such a request succeeds.
    let current: Cause | null = null;
    let hasEnded = false;
    return {
      see(event) {
        if (event.kind === 'error') hasEnded ||= event.fatal;
        if (event.kind !== 'request') return;
        const isStream = STREAM.has(event.type);
        if (hasFailed(event)) {
          const cause = causeOf(causes, event);
          wait(waiting, event, cause);
          if (isStream) current = cause;
        } else if (event.outcome === 'ok') {
          succeed(waiting, event);
          if (isStream) current = null;
        }
      },
      findings: () =>
        Array.from(causes.values())
          // Without a manifest nothing plays: what ended playback says why.
          .filter(({ first }) => !(hasEnded && first.type === 'manifest'))
          .map((cause) => ({ ...finding(cause), isCurrent: cause === current })),
    };
  },
};

/** What playback stands still without. */
const STREAM: ReadonlySet<RequestEvent['type']> = new Set(['manifest', 'init', 'media']);

export const hasFailed = ({ outcome }: RequestEvent): boolean =>
  outcome === 'http-error' || outcome === 'network-error' || outcome === 'timeout';

function causeOf(causes: Map<string, Cause>, event: RequestEvent): Cause {
  const words = formatFailure(event);
  const cause = causes.get(words) ?? {
    words,
    first: event,
    count: 0,
    succeeded: 0,
    longestMs: 0,
    over: new Set(),
  };
  causes.set(words, cause);
  cause.count += 1;
  return cause;
}

/** What a retry asks for again: the segment, though perhaps of another rung or from another server; else the address. */
function wantedOf({ type, mediaType, periodId, segment, url, range }: RequestEvent): string {
  return type === 'media' && segment !== null
    ? `${mediaType} ${periodId} ${segment}`
    : `${type} ${url} ${range}`;
}

/** Keeps a bounded list: a failure that is dropped from it stays reported as not succeeded. */
function wait(waiting: Map<string, Failure[]>, event: RequestEvent, cause: Cause): void {
  const wanted = wantedOf(event);
  const failures = waiting.get(wanted) ?? [];
  if (failures.length < MAX_WAITING) failures.push({ cause, endMs: event.endMs ?? event.atMs });
  waiting.set(wanted, failures);
  const [oldest] = waiting.keys();
  if (waiting.size > MAX_WAITING && oldest !== undefined) waiting.delete(oldest);
}

function succeed(waiting: Map<string, Failure[]>, event: RequestEvent): void {
  const wanted = wantedOf(event);
  for (const { cause, endMs } of waiting.get(wanted) ?? []) {
    cause.succeeded += 1;
    cause.longestMs = Math.max(cause.longestMs, (event.endMs ?? event.atMs) - endMs);
    cause.over.add(overProtocol(event.protocol));
  }
  waiting.delete(wanted);
}

function finding(cause: Cause): Finding {
  const { words, first, count, succeeded } = cause;
  const tookMs = (first.endMs ?? first.atMs) - first.atMs;
  const one = formatRequest(first);
  const what =
    count === 1
      ? `${one[0]!.toUpperCase()}${one.slice(1)}${overProtocol(first.protocol)} got ${words} after ${lasting(tookMs)}`
      : `${formatCount(count, 'request')} got ${words}, the first ${one} after ${lasting(tookMs)}`;
  return {
    id: `${ID}:${first.outcome}${first.outcome === 'http-error' ? `-${first.status}` : ''}`,
    severity: succeeded === count ? 'warning' : 'problem',
    sentence: `${what}; ${formatOutcome(cause)}`,
    fix: fixFor(first),
    atMs: first.atMs,
  };
}

function formatOutcome({ count, succeeded, longestMs, over }: Cause): string {
  if (succeeded === 0) return count === 1 ? 'it has not succeeded since' : 'none has succeeded since';
  const protocols = [...over].filter((each) => each !== '').sort();
  const how = `on retry${protocols.join(' or')}`;
  if (count === 1) return `it succeeded ${how} ${lasting(longestMs)} later`;
  const who = succeeded === count ? 'all' : `${succeeded} of them`;
  return `${who} succeeded ${how}, ${lasting(longestMs)} later at most`;
}

function fixFor({ outcome, status }: RequestEvent): string | null {
  if (outcome === 'timeout') return 'set the player’s time-out above the longest outage';
  return status === 404 || status === 410
    ? 'check that the origin has the files of the manifest; in a live stream, that its clock and the player’s agree'
    : null;
}
