import type { RaceOutcome } from '../netlog/netLogFacts.ts';
import type { ConnectionAttempt, PacketFacts } from './packetFacts.ts';
import { createHostOf, pendingUntilUnixMs, SILENT_MS } from './packetRaces.ts';

/** A request that the origin answered, and the attempt whose connection carried it. */
export interface CarriedRequest {
  /** When the page began it. */
  readonly startUnixMs: number;
  readonly firstByteUnixMs: number | null;
  readonly attempt: ConnectionAttempt;
}

/** How the race of a request ended, in the words of a NetLog. */
export interface DecidedRace {
  readonly outcome: RaceOutcome;
  /** The attempt over QUIC that raced for the request, or the one that it used. */
  readonly quic: ConnectionAttempt | null;
}

/** A browser begins QUIC within that time after the request that needs it. */
const BEGINS_WITHIN_MS = 100;
/**
 * Decides for each request how its race ended. `unknown`: packets are missing, or they do not say how h3 was known to the
 * browser, as where a profile on disk or encrypted DNS taught it.
 */
export function decideOutcomes(facts: PacketFacts, requests: readonly CarriedRequest[]): DecidedRace[] {
  const hostOf = createHostOf(facts.attempts);
  const hosts = new Map<string, Host>();
  const hostNamed = (name: string): Host => {
    const host = hosts.get(name) ?? {
      h3ByDnsUnixMs: facts.h3ByDns.get(name) ?? null,
      attempts: [],
      requests: [],
    };
    hosts.set(name, host);
    return host;
  };
  for (const attempt of facts.attempts) hostNamed(hostOf(attempt)).attempts.push(attempt);
  for (const request of requests) hostNamed(hostOf(request.attempt)).requests.push(request);
  return requests.map((request) => {
    const host = hostNamed(hostOf(request.attempt));
    return request.attempt.protocol === 'quic'
      ? overQuic(request, host)
      : overTcp(request, host, facts.lacking.length > 0);
  });
}

interface Host {
  /** When DNS said that it has h3; null: no answer in the capture says so. */
  readonly h3ByDnsUnixMs: number | null;
  readonly attempts: ConnectionAttempt[];
  readonly requests: CarriedRequest[];
}

const isBefore = (unixMs: number | null, other: number | null): boolean =>
  unixMs !== null && other !== null && unixMs <= other;

/** Returns how the browser knew of h3 when it began QUIC: something over TCP came before, which can have Alt-Svc, or DNS said so. */
function knownBy(
  { startUnixMs }: ConnectionAttempt,
  { h3ByDnsUnixMs, attempts }: Host,
): 'alternative' | 'dns-alpn' | null {
  if (attempts.some(({ protocol, readyUnixMs }) => protocol === 'tcp' && isBefore(readyUnixMs, startUnixMs)))
    return 'alternative';
  return isBefore(h3ByDnsUnixMs, startUnixMs) ? 'dns-alpn' : null;
}

function overQuic({ startUnixMs, attempt }: CarriedRequest, host: Host): DecidedRace {
  const how = knownBy(attempt, host);
  const { readyUnixMs } = attempt;
  if (how === null || readyUnixMs === null) return { outcome: 'unknown', quic: attempt };
  const isFirst = !host.requests.some((each) => each.attempt === attempt && each.startUnixMs < startUnixMs);
  // What nobody waited for, a preconnect had begun: its handshake is the race of the first request on it.
  const isAwaited = host.requests.some(
    (each) => each.startUnixMs < readyUnixMs && !isBefore(each.firstByteUnixMs, attempt.startUnixMs),
  );
  const hasWon = startUnixMs < readyUnixMs || (isFirst && !isAwaited);
  return { outcome: `${how}-${hasWon ? 'won' : 'reused'}`, quic: attempt };
}

function overTcp(request: CarriedRequest, host: Host, isLacking: boolean): DecidedRace {
  const { startUnixMs, attempt } = request;
  if (attempt.readyUnixMs === null) return { outcome: 'unknown', quic: null };
  const usedUnixMs = Math.max(startUnixMs, attempt.readyUnixMs);
  const tried = host.attempts.filter((each) => isTriedFor(request, each, host));
  const pending = tried.find((each) => pendingUntilUnixMs(each) > usedUnixMs);
  if (pending) return { outcome: 'main-won', quic: pending };
  const failed = tried.findLast((each) => isBefore(failedUnixMs(each), usedUnixMs));
  if (failed) return afterFailure(request, failed);
  // That nobody tried QUIC, only a capture with all packets can say.
  return { outcome: isLacking ? 'unknown' : 'main-alone', quic: null };
}

function afterFailure({ startUnixMs, attempt }: CarriedRequest, quic: ConnectionAttempt): DecidedRace {
  const unixMs = failedUnixMs(quic);
  if (isBefore(unixMs, startUnixMs)) return { outcome: 'main-broken', quic: null };
  if (isBefore(attempt.startUnixMs, unixMs) && isBefore(unixMs, attempt.readyUnixMs))
    return { outcome: 'main-after-quic-failed', quic };
  // The request died with QUIC, as one of 0-RTT, and is asked for again: its last race leaves QUIC out.
  return { outcome: 'main-alone', quic: null };
}

/** Whether the browser knew, when it began a request over TCP, of what it tried over QUIC. */
function isTriedFor({ startUnixMs, attempt }: CarriedRequest, quic: ConnectionAttempt, host: Host): boolean {
  if (quic.protocol !== 'quic' || quic.startUnixMs === null) return false;
  if (quic.startUnixMs <= startUnixMs) return true;
  if (quic.startUnixMs > Math.max(attempt.readyUnixMs!, startUnixMs + BEGINS_WITHIN_MS)) return false;
  // A request waits for DNS, but not for an Alt-Svc that comes while it runs.
  return knownBy(quic, host) !== 'alternative' || hasAnswered(host, startUnixMs);
}

/** Whether something had come over TCP that can have Alt-Svc: an answer, or all that was before the first request of the session. */
function hasAnswered({ attempts, requests }: Host, unixMs: number): boolean {
  const first = requests.reduce((before, { startUnixMs }) => Math.min(before, startUnixMs), Infinity);
  return (
    requests.some(
      ({ attempt, firstByteUnixMs }) => attempt.protocol === 'tcp' && isBefore(firstByteUnixMs, unixMs),
    ) || attempts.some(({ protocol, readyUnixMs }) => protocol === 'tcp' && isBefore(readyUnixMs, first))
  );
}

/** When QUIC failed, as far as packets say: it was closed before it could be used, or its packets got no answer any more. */
function failedUnixMs({ readyUnixMs, end, unansweredUnixMs, lastUnixMs }: ConnectionAttempt): number | null {
  if (end) return end.atUnixMs;
  const isSilent = unansweredUnixMs !== null && lastUnixMs - unansweredUnixMs >= SILENT_MS;
  return readyUnixMs !== null && isSilent ? lastUnixMs : null;
}
