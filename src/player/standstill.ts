import { secondsFromMs } from '../shared/units.ts';

/**
 * ms. Longer than anything that passes by itself: dash.js polls every 0.5 s, gives a segment four tries a second apart
 * and at most 20 s each (settings of 5.2.1), and starts a decoder anew within seconds.
 */
export const STANDSTILL_MS = 30_000;
/** Segments of which nothing could be played; after so many, loading more of them is no hope. */
const FRUITLESS_SEGMENTS = 10;
/** ms between two looks: after a longer one the machine slept, or the tab was throttled. */
const LONGEST_BLINK_MS = 5000;
/** ms. A decoder may keep a last bit to itself. */
const NEXT_TO_NOTHING_MS = 500;

/** What can be seen from outside, about once a second. */
export interface Glance {
  readonly atMs: number;
  readonly playheadMs: number;
  /** Anything that changes when the element's buffered ranges do. */
  readonly buffered: string;
  /** False when nothing should move: paused, ended, hidden, at rate 0, or a failure is being recovered from. */
  readonly shouldPlay: boolean;
  readonly requestsInFlight: number;
  readonly isLive: boolean;
  readonly media: readonly MediaGlance[];
}

interface MediaGlance {
  readonly mediaType: 'video' | 'audio';
  /** Media after the playhead. */
  readonly aheadMs: number;
  /** Media segments that came, since the start. */
  readonly segments: number;
}

export interface Standstill {
  readonly last: Glance;
  /** Since when nothing moves and nothing explains it. */
  readonly sinceMs: number;
  /** When something moved last. */
  readonly moved: Glance;
}

/** Follows playback; to be given its own answer back with the next look. */
export function watched(before: Standstill | null, now: Glance): Standstill {
  if (before === null || moves(before.last, now)) return { last: now, sinceMs: now.atMs, moved: now };
  return { ...before, last: now, sinceMs: hopes(before, now) ? now.atMs : before.sinceMs };
}

/** The sentence that playback ends with once it has stood still for too long without any error; null until then. */
export function formatStandstill({ last, sinceMs }: Standstill): string | null {
  if (last.atMs - sinceMs < STANDSTILL_MS) return null;
  const place = `Playback stands still at ${secondsFromMs(last.playheadMs).toFixed(1)} s`;
  const lacking = lackingIn(last).map(({ mediaType }) => mediaType);
  return lacking.length > 0
    ? `${place}: no ${lacking.join(' and no ')} can be played there, though no request failed; ` +
        'what the server sent for it may be damaged or no media at all.'
    : `${place} although the media there is loaded: the browser does not go on decoding it.`;
}

function moves(last: Glance, now: Glance): boolean {
  const blinked = now.atMs - last.atMs > LONGEST_BLINK_MS;
  return blinked || !now.shouldPlay || now.playheadMs !== last.playheadMs || now.buffered !== last.buffered;
}

/** Something is on its way, or a live stream has nothing new yet; but not if what came before was all of no use. */
function hopes({ moved }: Standstill, now: Glance): boolean {
  const lacking = lackingIn(now);
  const awaited = now.requestsInFlight > 0 || (now.isLive && lacking.length > 0);
  return awaited && fruitless(moved, lacking) < FRUITLESS_SEGMENTS;
}

const lackingIn = ({ media }: Glance): readonly MediaGlance[] =>
  media.filter(({ aheadMs }) => aheadMs < NEXT_TO_NOTHING_MS);

function fruitless({ media }: Glance, lacking: readonly MediaGlance[]): number {
  const counts = lacking.map(({ mediaType, segments }) => {
    const before = media.find((each) => each.mediaType === mediaType)?.segments ?? 0;
    return segments - before;
  });
  return Math.max(0, ...counts);
}
