import type { IdleEvent, MediaType, RuleEvent } from './rule.ts';

/** Events that a rule is given when it takes over during play: enough for every window in the papers (≤ 20). */
export const MAX_RECENT_EVENTS = 40;

/** The latest events, for a rule that takes over, or that begins anew over another pathway. Player and simulator use it. */
export interface RecentEvents {
  /** Whether it says something about the pathway in use. `pathway`: over which it was measured, if over one. */
  add(event: RuleEvent, pathway: string | undefined): boolean;
  use(pathway: string): void;
  /** Those that say something about the pathway in use. */
  ofPresent(): RuleEvent[];
}

export function createRecentEvents(): RecentEvents {
  const events: { readonly event: RuleEvent; readonly pathway: string | undefined }[] = [];
  let present: string | undefined;
  const isOfPresent = (pathway: string | undefined): boolean =>
    pathway === undefined || present === undefined || pathway === present;
  return {
    add(event, pathway) {
      events.push({ event, pathway });
      if (events.length > MAX_RECENT_EVENTS) events.shift();
      return isOfPresent(pathway);
    },
    use: (pathway) => void (present = pathway),
    ofPresent: () => events.filter(({ pathway }) => isOfPresent(pathway)).map(({ event }) => event),
  };
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
