import type { NetLogRequest } from '../netlog/netLogFacts.ts';
import type { SessionLog } from '../schema/sessionLog.ts';
import { keyOf } from './joinTransport.ts';

/** Minimum number of requests to compare: with fewer, an agreement of the clocks may be chance. */
const MIN_PAIRS = 5;
/** Share of the compared requests that must agree to within `AGREE_MS`. */
const MIN_AGREEING = 0.8;
const AGREE_MS = 250;
/** Smallest step of a clock, ms: a page that is busy asks late by less. */
const MIN_STEP_MS = 500;
/** Largest step of a clock, ms: further apart, another session of the same video fits as well. */
const MAX_STEP_MS = 10_000;

/**
 * How far the clock of a NetLog is ahead of the session's, ms: the browser reads its clock once, and a clock that was set between
 * that and the session's begin puts all its times off by as much. 0 where the clocks agree, and where too little says how far off
 * they are. Looks at URLs that both have as often.
 */
export function netLogClockMs(log: SessionLog, requests: readonly NetLogRequest[]): number {
  const zeroMs = log.clock.startedAtUnixMs;
  const asked = log.events
    .filter((event) => event.kind === 'request')
    .map((each) => [keyOf(each), zeroMs + (each.startMs ?? each.atMs)] as const);
  const seen = startsByKey(requests.map((each) => [keyOf(each), each.startUnixMs] as const));
  const aheadMs = [...startsByKey(asked)]
    .flatMap(([key, starts]) => {
      const others = seen.get(key) ?? [];
      return others.length === starts.length ? others.map((ms, place) => ms - starts[place]!) : [];
    })
    .sort((one, other) => one - other);
  const median = aheadMs[aheadMs.length >> 1] ?? 0;
  const agreeing = aheadMs.filter((ms) => Math.abs(ms - median) <= AGREE_MS).length;
  const isSure = aheadMs.length >= MIN_PAIRS && agreeing >= MIN_AGREEING * aheadMs.length;
  const isStep = Math.abs(median) >= MIN_STEP_MS && Math.abs(median) <= MAX_STEP_MS;
  return isSure && isStep ? median : 0;
}

function startsByKey(
  requests: readonly (readonly [key: string, startUnixMs: number])[],
): Map<string, number[]> {
  const found = new Map<string, number[]>();
  for (const [key, startUnixMs] of requests) found.set(key, [...(found.get(key) ?? []), startUnixMs]);
  for (const starts of found.values()) starts.sort((one, other) => one - other);
  return found;
}

/** The session as a clock that is ahead by so much would have it. */
export const onClock = (log: SessionLog, aheadMs: number): SessionLog => ({
  ...log,
  clock: { ...log.clock, startedAtUnixMs: log.clock.startedAtUnixMs + aheadMs },
});
