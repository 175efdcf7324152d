/**
 * After a decode error dash.js gives the element a new MediaSource (StreamController._handleMediaErrorDecode) and leaves
 * it paused, because loading a source pauses an element without a `pause` event (HTML, media element load algorithm).
 * Whoever was watching goes on watching. Returns the disposer.
 */
export function resumeAfterReset(video: HTMLVideoElement): () => void {
  let wantsToPlay = false;
  const listeners: Record<string, () => void> = {
    play: () => void (wantsToPlay = true),
    pause: () => void (wantsToPlay = false),
    ended: () => void (wantsToPlay = false),
    canplay() {
      // Refused play (the autoplay policy) was allowed before, and an interruption is somebody else's will.
      if (wantsToPlay && video.paused) video.play().catch(() => undefined);
    },
  };
  for (const [type, listener] of Object.entries(listeners)) video.addEventListener(type, listener);
  return () => {
    for (const [type, listener] of Object.entries(listeners)) video.removeEventListener(type, listener);
  };
}
