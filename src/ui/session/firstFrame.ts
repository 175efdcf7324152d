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
