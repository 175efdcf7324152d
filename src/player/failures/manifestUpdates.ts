import type { MediaPlayerClass } from 'dashjs';

/** A live manifest as dash.js' parser leaves it. */
interface Updated {
  readonly type?: string;
  readonly availabilityStartTime?: Date;
  /** s. */
  readonly minimumUpdatePeriod?: number;
}

const LOOK_EVERY_MS = 1000;
/** s. Servers keep to shorter periods only roughly. */
const MIN_LATE_S = 5;
const LATE_PERIODS = 3;
/** s. Less is rounding. */
const MIN_MOVE_S = 0.1;

/**
 * Says where the updates of a live manifest move the start of the stream, and where they stop: dash.js goes on by a manifest that
 * no longer fits. Returns the disposer.
 */
export function watchUpdates(
  player: Pick<MediaPlayerClass, 'on' | 'off'>,
  { video, notify }: { video: Pick<HTMLVideoElement, 'paused'>; notify(sentence: string): void },
): () => void {
  let startMs = NaN;
  let periodS = NaN;
  let idleS = 0;
  let hasMoved = false;
  const onManifest = ({ data }: { data?: unknown }): void => {
    const { type, availabilityStartTime, minimumUpdatePeriod } = (data ?? {}) as Updated;
    const isLive = type === 'dynamic';
    const beforeMs = startMs;
    startMs = isLive ? Number(availabilityStartTime) : NaN;
    periodS = (isLive && minimumUpdatePeriod) || NaN;
    idleS = 0;
    const movedS = (startMs - beforeMs) / 1000;
    // Once: two encoders may take turns, and one may name another start each time.
    if (hasMoved || !(Math.abs(movedS) >= MIN_MOVE_S)) return;
    hasMoved = true;
    notify(`An update of the manifest moved availabilityStartTime by ${movedS.toFixed(1)} s.`);
  };
  const timer = setInterval(() => {
    // dash.js does not ask for a manifest while it is paused, and begins anew after that.
    idleS = video.paused ? 0 : idleS + 1;
    if (idleS === Math.max(MIN_LATE_S, Math.ceil(LATE_PERIODS * periodS)))
      notify(
        `The manifest asks to be read every ${periodS} s (minimumUpdatePeriod), but no new one came for ${idleS} s.`,
      );
  }, LOOK_EVERY_MS);
  player.on('manifestLoaded', onManifest);
  return () => {
    clearInterval(timer);
    player.off('manifestLoaded', onManifest);
  };
}
