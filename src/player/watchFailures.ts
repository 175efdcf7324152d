import type { MediaPlayerClass } from 'dashjs';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { createFatal, type Fatal } from './fatal.ts';
import { watchLeftOut } from './leftOut.ts';
import { guardManifests } from './manifestGuard.ts';
import { repeatStuckSeek } from './repeatStuckSeek.ts';
import { waitingReason } from './waiting.ts';
import { watchErrors } from './watchErrors.ts';
import { watchStandstill } from './watchStandstill.ts';
import { watchWaiting } from './watchWaiting.ts';

/** Everything that can end playback, and what is left out of it, in the log and in words. */
export interface FailureWatch {
  readonly fatal: Fatal;
  /** What the viewer should know while nothing has ended: the first such sentence. Returns the disposer. */
  readonly onNotice: Fatal['onFatal'];
  dispose(): void;
}

export function watchFailures(
  player: MediaPlayerClass,
  video: HTMLVideoElement,
  telemetry: Telemetry,
): FailureWatch {
  const fatal = createFatal((message) => {
    record(telemetry, { code: 'ended', message, fatal: true });
    // Not at once: dash.js is in the middle of telling us.
    setTimeout(() => player.reset(), 0);
  });
  const notice = createFatal((message) => record(telemetry, { code: 'waiting', message, fatal: false }));
  const manifest = guardManifests(player);
  const errors = watchErrors(player, fatal, manifest);
  const requestsInFlight = (): number =>
    telemetry.openEvents().filter(({ kind }) => kind === 'request').length;
  const onRepeat = (culprit: string): void =>
    record(telemetry, {
      code: 'seek-repeated',
      message: `A seek to ${video.currentTime.toFixed(1)} s was repeated: ${culprit} did not finish it.`,
      fatal: false,
    });
  const stopStandstill = watchStandstill({
    player,
    video,
    requestsInFlight,
    isRecovering: errors.isRecovering,
    fail: fatal.fail,
  });
  const stopWaiting = watchWaiting({
    ...{ player, video, requestsInFlight },
    reason: () => waitingReason(manifest.waitingFacts(), Date.now()),
    say: ({ sentence, isHopeless }) => (isHopeless ? fatal : notice).fail(sentence),
  });
  const stopRepeats = repeatStuckSeek(video, { requestsInFlight, onRepeat });
  const stopLeftOut = watchLeftOut(player, {
    notify: (message) => record(telemetry, { code: 'left-out', message, fatal: false }),
    fail: fatal.fail,
  });
  return {
    fatal,
    onNotice: notice.onFatal,
    dispose() {
      errors.dispose();
      stopStandstill();
      stopWaiting();
      stopRepeats();
      stopLeftOut();
    },
  };
}

function record(telemetry: Telemetry, error: { code: string; message: string; fatal: boolean }): void {
  telemetry.record({
    kind: 'error',
    atMs: telemetry.nowMs(),
    source: 'player',
    requestId: null,
    missing: { requestId: 'not-applicable' },
    ...error,
  });
}
