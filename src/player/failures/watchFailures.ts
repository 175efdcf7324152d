import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import { errorDraft } from '../../telemetry/errorDraft.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { repeatStuckSeek, type Culprit } from '../repeatStuckSeek.ts';
import { failureOf, formatEnd, MANIFEST_DOWNLOAD, type DashError } from './errors.ts';
import { leadOverHoles } from './holes.ts';
import { watchLeftOut } from './leftOut.ts';
import { guardManifests, type ManifestGuard } from './manifestGuard.ts';
import { watchUpdates } from './manifestUpdates.ts';
import { createRecovery, goLive } from './recover.ts';
import { watchStandstill } from './standstill.ts';
import { waitingReason, watchWaiting } from './waiting.ts';

/** Everything that can end playback, and what is left out of it, in the log and in words. */
interface FailureWatch {
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
    setTimeout(() => {
      dispose();
      player.reset();
    }, 0);
  });
  const notice = createFatal((message) => record(telemetry, { code: 'waiting', message, fatal: false }));
  const manifest = guardManifests(player);
  const onSeek = (): void => telemetry.expectSeek('recovery');
  const errors = watchErrors(player, { fatal, manifest, onSeek });
  /** Without the updates of a live manifest, which go on whatever becomes of the media. */
  const requestsInFlight = (): number =>
    telemetry.openEvents().filter((each) => each.kind === 'request' && each.type !== 'manifest').length;
  /** Between two tries there is no request, though one is to come. */
  const attempts = (): number => requestsInFlight() + Number(errors.isRecovering());
  const stopStandstill = watchStandstill({
    player,
    video,
    requestsInFlight,
    isRecovering: errors.isRecovering,
    goOn: () => goLive(player, onSeek, video.currentTime),
    fail: errors.end,
  });
  const stopWaiting = watchWaiting({
    player,
    video,
    attempts,
    reason: () => waitingReason(manifest.waitingFacts(), Date.now()),
    say: ({ sentence, isHopeless }) => (isHopeless ? fatal : notice).fail(sentence),
  });
  const onRepeat = (culprit: Culprit): void => reportRepeat(telemetry, { video, culprit });
  const stopRepeats = repeatStuckSeek(video, { requestsInFlight: attempts, onRepeat });
  const notify = (message: string): void => record(telemetry, { code: 'left-out', message, fatal: false });
  const stopLeftOut = watchLeftOut(player, { notify, fail: fatal.fail });
  const stopHoles = leadOverHoles(player, { notify, onSeek: () => telemetry.expectSeek('player') });
  const stopUpdates = watchUpdates(player, { video, notify });
  const dispose = (): void => {
    errors.dispose();
    stopStandstill();
    stopWaiting();
    stopRepeats();
    stopLeftOut();
    stopHoles();
    stopUpdates();
  };
  return { fatal, onNotice: notice.onFatal, dispose };
}

function reportRepeat(
  telemetry: Telemetry,
  { video, culprit }: { video: HTMLVideoElement; culprit: Culprit },
): void {
  // What the browser did not finish is repeated without an event that others hear.
  if (culprit === 'dash.js') telemetry.expectSeek('recovery');
  record(telemetry, {
    code: 'seek-repeated',
    message: `A seek to ${video.currentTime.toFixed(1)} s was repeated: ${culprit} did not finish it.`,
    fatal: false,
  });
}

function record(telemetry: Telemetry, error: { code: string; message: string; fatal: boolean }): void {
  telemetry.record(errorDraft({ atMs: telemetry.nowMs(), source: 'player', ...error }));
}

/** The one failure that ended playback. A later listener is called at once: the failure may precede any listener. */
export interface Fatal {
  /** Only the first counts: what follows is its consequence. */
  fail(message: string): void;
  onFatal(listener: (message: string) => void): () => void;
  readonly message: () => string | null;
}

export function createFatal(onFirst: (message: string) => void): Fatal {
  let first: string | null = null;
  const listeners = new Set<(message: string) => void>();
  return {
    fail(message) {
      if (first !== null) return;
      first = message;
      onFirst(message);
      for (const listener of listeners) listener(message);
    },
    onFatal(listener) {
      if (first !== null) listener(first);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    message: () => first,
  };
}

interface ErrorWatch {
  /** A failure is known and something is being done about it. */
  isRecovering(): boolean;
  /** Ends playback for want of media: with this sentence, or where the manifest is gone, too, because the stream is over. */
  end(message: string): void;
  dispose(): void;
}

/** Turns dash.js' errors into recovery or the one fatal sentence. */
function watchErrors(
  player: MediaPlayerClass,
  { fatal, manifest, onSeek }: { fatal: Fatal; manifest: ManifestGuard; onSeek: () => void },
): ErrorWatch {
  let hasManifest = false;
  let refreshStatus = 0;
  const end = (message: string): void => fatal.fail(formatEnd(message, refreshStatus));
  const recovery = createRecovery(player, { onFatal: end, onSeek });
  const onManifest = ({ data }: { data?: unknown }): void => {
    if (!data) return;
    hasManifest = true;
    refreshStatus = 0;
  };
  const onError = ({ error }: { error?: unknown }): void => {
    const { code, data } = error as DashError;
    const status = data?.response?.status ?? 0;
    if (code === MANIFEST_DOWNLOAD) refreshStatus = status;
    const failure = failureOf(error as DashError, { hasManifest, isProtected: manifest.isProtected() });
    if (failure.kind === 'fatal') fatal.fail(manifest.refusal() ?? failure.message);
    if (failure.kind === 'segment')
      recovery.onFailure(failure, (data?.request as FragmentRequest) ?? null, status);
  };
  player.on('manifestLoaded', onManifest);
  player.on('error', onError);
  return {
    isRecovering: recovery.isWorking,
    end,
    dispose() {
      player.off('manifestLoaded', onManifest);
      player.off('error', onError);
      recovery.dispose();
    },
  };
}
