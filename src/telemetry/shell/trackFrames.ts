import type { Surroundings } from './tracker.ts';

const EVERY_MS = 1000;

/** Decoded and dropped frames, once a second while they change. Counted from the element's start, as it counts. */
export function trackFrames({ video, clock, recording }: Surroundings): () => void {
  let decodedBefore = 0;
  const sample = (): void => {
    const { totalVideoFrames: decoded, droppedVideoFrames: dropped } = video.getVideoPlaybackQuality();
    if (decoded === decodedBefore) return;
    decodedBefore = decoded;
    recording.record({ kind: 'frames', atMs: clock.nowMs(), decoded, dropped, missing: {} });
  };
  const timer = setInterval(sample, EVERY_MS);
  return () => {
    clearInterval(timer);
    sample();
  };
}
