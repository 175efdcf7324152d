/**
 * ms. A seek into loaded media settles within 0.1 s, on a busy machine mostly within a second. dash.js asks for the media of
 * a new place at once, and waits a second between two tries of a request.
 */
export const STUCK_MS = 2000;
const LOOK_MS = 250;
/** Looks are counted, not time: where the page gets little of the processor, looks come late and so does the repeat. */
const STUCK_LOOKS = STUCK_MS / LOOK_MS;
/** After so many (30 s) the browser has another trouble: `watchStandstill` names it. */
export const MAX_REPEATS = 4;
/** s of media after the place, so that a decoder has something to begin with. */
const NEEDED_S = 0.5;

type Element = Pick<
  HTMLVideoElement,
  'seeking' | 'currentTime' | 'duration' | 'buffered' | 'addEventListener' | 'removeEventListener'
>;

/** Who does not finish a seek. */
export type Culprit = 'the browser' | 'dash.js';

interface Watching {
  readonly requestsInFlight: () => number;
  /** Called before each repeat. */
  readonly onRepeat: (culprit: Culprit) => void;
}

/**
 * Repeats a seek that does not settle. Returns the disposer.
 *
 * The browser: the media is loaded. At a seek into another period dash.js empties its buffers and loads the place anew. If the
 * place was loaded before, Chromium 156 has begun to read it, and in 57 of 238 tries (MSE alone, without dash.js) it waited
 * for ever: `seeking` stays, readyState is HAVE_METADATA. The same seek once more ended 57 of 57. Nobody else gets the
 * `seeking` event of this repeat, so it is one seek for dash.js and for the log. Where other programs keep the processor, a
 * seek may take 5 s and longer (decoding 1280 × 720, ten programs on two cores): repeats then only delay it.
 *
 * dash.js: the media is neither loaded nor asked for. On a busy machine dash.js 5.2.1 took a seek into another period for
 * done, once in 682 seeks: it kept the buffers of the period before and asked for nothing. It gets this repeat's event.
 */
export function repeatStuckSeek(video: Element, { requestsInFlight, onRepeat }: Watching): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let seen: Culprit | null = null;
  let looks = 0;
  let repeats = 0;
  /** The repeat whose `seeking` event is still to come. */
  let repeating: Culprit | null = null;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (!video.seeking || repeats >= MAX_REPEATS) return stop();
    const culprit = isLoaded(video) ? 'the browser' : requestsInFlight() === 0 ? 'dash.js' : null;
    looks = culprit === seen ? looks + 1 : 0;
    seen = culprit;
    // A seek that is only slow begins anew with each repeat, so each repeat is given twice the time of the one before.
    if (culprit === null || looks < STUCK_LOOKS * 2 ** repeats) return;
    seen = null;
    repeats += 1;
    repeating = culprit;
    onRepeat(culprit);
    video.currentTime = Number(video.currentTime);
  };
  const onSeeking = (event: Event): void => {
    if (repeating !== null) {
      if (repeating === 'the browser') event.stopImmediatePropagation();
      repeating = null;
      return;
    }
    seen = null;
    repeats = 0;
    timer ??= setInterval(look, LOOK_MS);
  };
  // Listeners that capture come first, whoever listened before.
  video.addEventListener('seeking', onSeeking, { capture: true });
  return () => {
    stop();
    video.removeEventListener('seeking', onSeeking, { capture: true });
  };
}

function isLoaded({ currentTime, duration, buffered }: Element): boolean {
  const neededS = Math.min(currentTime + NEEDED_S, duration);
  return Array.from({ length: buffered.length }, (_, range) => range).some(
    (range) => buffered.start(range) <= currentTime && buffered.end(range) >= neededS,
  );
}
