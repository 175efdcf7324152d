/** ms. A seek into loaded media settles within 0.1 s, on a busy machine within a second. */
export const STUCK_MS = 1500;
const LOOK_MS = 250;
/** After so many the browser has another trouble: `watchStandstill` names it. */
export const MAX_REPEATS = 5;
/** s of media after the place, so that a decoder has something to begin with. */
const NEEDED_S = 0.5;

type Element = Pick<
  HTMLVideoElement,
  'seeking' | 'currentTime' | 'duration' | 'buffered' | 'addEventListener' | 'removeEventListener'
>;

/**
 * Repeats a seek that the browser does not settle although its media is loaded. At a seek into another period dash.js
 * empties its buffers and loads the place anew. If the place was loaded before, Chromium 156 has begun to read it, and
 * in 57 of 238 tries (MSE alone, without dash.js) it waited for ever: `seeking` stays, readyState is HAVE_METADATA. The
 * same seek once more ended 57 of 57. Nobody else gets the `seeking` event of the repeat, so it is one seek for dash.js
 * and for the log; `onRepeat` is called before each repeat. Returns the disposer.
 */
export function repeatStuckSeek(video: Element, onRepeat: () => void): () => void {
  let timer: ReturnType<typeof setInterval> | undefined;
  let loadedSinceMs: number | null = null;
  let repeats = 0;
  let isRepeating = false;
  const stop = (): void => {
    clearInterval(timer);
    timer = undefined;
  };
  const look = (): void => {
    if (!video.seeking || repeats >= MAX_REPEATS) return stop();
    const nowMs = performance.now();
    loadedSinceMs = isLoaded(video) ? (loadedSinceMs ?? nowMs) : null;
    if (loadedSinceMs === null || nowMs - loadedSinceMs < STUCK_MS) return;
    loadedSinceMs = null;
    repeats += 1;
    isRepeating = true;
    onRepeat();
    video.currentTime = Number(video.currentTime);
  };
  const onSeeking = (event: Event): void => {
    if (isRepeating) {
      isRepeating = false;
      event.stopImmediatePropagation();
      return;
    }
    loadedSinceMs = null;
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
