import type { MediaPlayerClass } from 'dashjs';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { createFatal, type Fatal } from './fatal.ts';
import { watchLeftOut } from './leftOut.ts';
import { guardManifests } from './manifestGuard.ts';
import { watchErrors } from './watchErrors.ts';
import { watchStandstill } from './watchStandstill.ts';

/** Everything that can end playback, and what is left out of it, in the log and in words. */
export interface FailureWatch {
  readonly fatal: Fatal;
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
  const errors = watchErrors(player, fatal, guardManifests(player));
  const stopStandstill = watchStandstill({
    player,
    video,
    requestsInFlight: () => telemetry.openEvents().filter(({ kind }) => kind === 'request').length,
    isRecovering: errors.isRecovering,
    fail: fatal.fail,
  });
  const stopLeftOut = watchLeftOut(player, {
    notify: (message) => record(telemetry, { code: 'left-out', message, fatal: false }),
    fail: fatal.fail,
  });
  return {
    fatal,
    dispose() {
      errors.dispose();
      stopStandstill();
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
