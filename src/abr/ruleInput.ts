import type { IdleEvent, MediaType, RuleEvent } from './rule.ts';

/** Events that a rule is given when it takes over during play: enough for every window in the papers (≤ 20). */
export const MAX_RECENT_EVENTS = 40;

/** A change of pathway, for a rule. */
export interface PathwayChange {
  readonly pathway: string;
  /** The rule goes on with what it knows, see `SteeringAnswer` (`steering/policy.ts`); else it begins anew. */
  readonly keepsHistory: boolean;
}

/** The latest events, for a rule that takes over, or that begins anew over another pathway. Player and simulator use it. */
interface RecentEvents {
  /** Whether it says something about the pathway in use. `pathway`: over which it was measured, if over one. */
  add(event: RuleEvent, pathway: string | undefined): boolean;
  use(change: PathwayChange): void;
  /** Those that say something about the pathway in use. */
  ofPresent(): RuleEvent[];
}

export function createRecentEvents(): RecentEvents {
  let events: RecentEvent[] = [];
  let present: string | undefined;
  const isOfPresent = ({ pathways }: RecentEvent): boolean =>
    pathways === null || present === undefined || pathways.includes(present);
  return {
    add(event, pathway) {
      const recent = { event, pathways: pathway === undefined ? null : [pathway] };
      events.push(recent);
      if (events.length > MAX_RECENT_EVENTS) events.shift();
      return isOfPresent(recent);
    },
    use({ pathway, keepsHistory }) {
      if (keepsHistory) events = events.flatMap((recent) => handedOn(recent, isOfPresent(recent), pathway));
      present = pathway;
    },
    ofPresent: () => events.filter(isOfPresent).map(({ event }) => event),
  };
}

interface RecentEvent {
  readonly event: RuleEvent;
  /** The one over which it was measured, and those that have taken over its history; null: it concerns all. */
  readonly pathways: readonly string[] | null;
}

/** What is left of an event when `next` takes over the history of the present pathway. */
function handedOn(recent: RecentEvent, isOfPresent: boolean, next: string): RecentEvent[] {
  if (recent.pathways === null) return [recent];
  const others = recent.pathways.filter((pathway) => pathway !== next);
  const pathways = isOfPresent ? [...others, next] : others;
  return pathways.length === 0 ? [] : [{ ...recent, pathways }];
}

/** Between two downloads this long is the player's own work (append, decision), not a pause. */
const OWN_WORK_MS = 50;

/** Finds the pauses that rules receive, from when each media type was busy. Player and replay use it. */
export interface Pauses {
  /** A download of this type (text too) ended. */
  busyUntil(mediaType: string, atMs: number): void;
  /** The pause since the last download of this type, if it is one; the next call counts from here. */
  before(mediaType: MediaType, nowMs: number): IdleEvent | null;
}

export function createPauses(): Pauses {
  const busyUntilMs = new Map<string, number>();
  return {
    busyUntil: (mediaType, atMs) => void busyUntilMs.set(mediaType, atMs),
    before(mediaType, nowMs) {
      const sinceMs = busyUntilMs.get(mediaType);
      if (sinceMs === undefined || nowMs - sinceMs <= OWN_WORK_MS) return null;
      busyUntilMs.set(mediaType, nowMs);
      return { kind: 'idle', atMs: sinceMs, durationMs: nowMs - sinceMs };
    },
  };
}

/** Whole segments of `segmentMs` that are left to request; null when the end is unknown. */
export function segmentsBetween(fromMs: number, endMs: number, segmentMs: number): number | null {
  if (!Number.isFinite(endMs) || !(segmentMs > 0)) return null;
  // A quarter of a segment is rounding in the MPD's timescale or an audio track that ends early, not a segment.
  return Math.max(0, Math.ceil((endMs - fromMs) / segmentMs - 0.25));
}
