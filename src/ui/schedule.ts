import type { View } from './session/shownSession.ts';

/** As often as the charts draw: numbers that change faster are not read, and each change costs a frame. */
const EVERY_MS = 1000;

/** Calls `tick` once a second while the page is visible, and at once when it becomes visible again. */
export function ticker(tick: () => void): void {
  setInterval(() => {
    if (!document.hidden) tick();
  }, EVERY_MS);
  document.addEventListener('visibilitychange', () => {
    if (!document.hidden) tick();
  });
}

/** A view that is not written while it is scrolled out of the window: it would cost style, layout and paint unseen. */
export function whileSeen(root: Element, view: View): View {
  let seen = true;
  new IntersectionObserver((entries) => {
    seen = entries.at(-1)?.isIntersecting ?? true;
    if (seen) view.update();
  }).observe(root);
  return {
    show: (session) => view.show(session),
    update() {
      if (seen) view.update();
    },
  };
}

/** Long enough for a good start, short enough that a bad one is watched from its first requests on. */
const LONGEST_MS = 2000;

/**
 * Resolves when the video shows its next frame, at the latest after two seconds. Work that can wait does, because
 * dash.js, the decoder and the page share one thread, and each millisecond of it is one of join time.
 */
export function firstFrame(video: HTMLVideoElement): Promise<void> {
  return new Promise((resolve) => {
    video.requestVideoFrameCallback(() => resolve());
    setTimeout(resolve, LONGEST_MS);
  });
}
