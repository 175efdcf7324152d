import type { MediaPlayerClass } from 'dashjs';

const LOOK_EVERY_MS = 1000;
/** Nothing is asked for so long before that is said. */
export const WAITING_MS = 5000;

/**
 * Says what a player waits for that has its manifest and asks for nothing: dash.js waits for a stream that has not begun, and for
 * addresses that no browser asks, for ever and without an event. Only until the first media is there. Returns the disposer.
 */
export function watchWaiting({
  player,
  video,
  attempts,
  reason,
  say,
}: {
  readonly player: Pick<MediaPlayerClass, 'on' | 'off'>;
  readonly video: Pick<HTMLVideoElement, 'buffered' | 'paused'>;
  /** Requests that are under way or will be made again. */
  readonly attempts: () => number;
  readonly reason: () => Waiting;
  readonly say: (waiting: Waiting) => void;
}): () => void {
  let hasManifest = false;
  let idleMs = 0;
  const onManifest = ({ data }: { data?: unknown }): void => void (hasManifest ||= Boolean(data));
  // A request that fails is over between two looks.
  const onRequest = (): void => void (idleMs = 0);
  const timer = setInterval(() => {
    if (video.buffered.length > 0) return dispose();
    idleMs = hasManifest && !video.paused && attempts() === 0 ? idleMs + LOOK_EVERY_MS : 0;
    if (idleMs < WAITING_MS) return;
    dispose();
    say(reason());
  }, LOOK_EVERY_MS);
  const dispose = (): void => {
    clearInterval(timer);
    player.off('manifestLoaded', onManifest);
    player.off('fragmentLoadingStarted', onRequest);
    player.off('fragmentLoadingCompleted', onRequest);
  };
  player.on('manifestLoaded', onManifest);
  player.on('fragmentLoadingStarted', onRequest);
  player.on('fragmentLoadingCompleted', onRequest);
  return dispose;
}

/** What a manifest says that may keep a player from asking for anything. */
export interface WaitingFacts {
  /** Scheme of an address that the page does not ask, with its colon; null: there is none. */
  readonly refusedScheme: string | null;
  /** As it stands in the manifest; null: not below zero. */
  readonly negativeDuration: string | null;
  /** Unix time; null for VoD and where the manifest names no time. */
  readonly availableFromUnixMs: number | null;
}

/** Why nothing is asked for, and whether waiting can help. */
interface Waiting {
  readonly sentence: string;
  readonly isHopeless: boolean;
}

/** What the page's policy and XMLHttpRequest let through. */
const ASKED = ['http', 'https', 'data', 'blob'];

/** Reads the text, not dash.js' account of it: its parser makes NaN of what it does not understand, without a word. */
export function waitingFacts(mpd: string): WaitingFacts {
  const [, root = ''] = /<(?:[\w.-]{1,80}:)?MPD\s([^>]*)>/.exec(mpd) ?? [];
  const duration = attribute(root, 'mediaPresentationDuration');
  const start = Date.parse(attribute(root, 'availabilityStartTime') ?? '');
  const isLive = attribute(root, 'type') === 'dynamic';
  return {
    refusedScheme: refusedScheme(mpd),
    negativeDuration: duration?.startsWith('-') ? duration : null,
    availableFromUnixMs: isLive && Number.isFinite(start) ? start : null,
  };
}

export function waitingReason(facts: WaitingFacts | null, nowUnixMs: number): Waiting {
  const { refusedScheme = null, negativeDuration = null, availableFromUnixMs = null } = facts ?? {};
  if (refusedScheme !== null)
    return {
      isHopeless: true,
      sentence:
        `The manifest names addresses that begin with "${refusedScheme}" for its media; ` +
        'a page asks only for http: and https:, so nothing can be loaded.',
    };
  if (negativeDuration !== null)
    return {
      isHopeless: true,
      sentence: `The manifest says that the stream lasts ${negativeDuration.slice(0, 40)}: there is nothing to play.`,
    };
  if (availableFromUnixMs !== null && availableFromUnixMs > nowUnixMs)
    return {
      isHopeless: false,
      sentence:
        `The stream has not begun: its manifest is available from ${dateOf(availableFromUnixMs)} ` +
        '(availabilityStartTime), and the player waits for that.',
    };
  return {
    isHopeless: false,
    sentence:
      'The player has the manifest and asks for no segment: the manifest may name none that is available now.',
  };
}

function refusedScheme(mpd: string): string | null {
  const named =
    /<(?:[\w.-]{1,80}:)?BaseURL(?:\s[^>]*)?>\s*([^<]{1,40})|\s(?:media|initialization|sourceURL)\s*=\s*["']([^"']{1,40})/g;
  for (const [, base, address] of mpd.matchAll(named)) {
    const scheme = /^([a-z][a-z0-9+.-]*):/i.exec((base ?? address ?? '').trim())?.[1];
    if (scheme !== undefined && !ASKED.includes(scheme.toLowerCase())) return `${scheme}:`;
  }
  return null;
}

function attribute(tag: string, name: string): string | null {
  return new RegExp(`(?:^|\\s)${name}\\s*=\\s*["']([^"']*)`).exec(tag)?.[1]?.trim() ?? null;
}

/** Manifests may name any time; beyond the calendar it is said in ms. */
function dateOf(unixMs: number): string {
  const date = new Date(unixMs);
  return Number.isNaN(date.getTime()) ? `${unixMs} ms after 1970` : date.toISOString();
}
