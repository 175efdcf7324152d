import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import { failureOf, type DashError } from './errors.ts';
import type { Fatal } from './fatal.ts';
import type { ManifestGuard } from './manifestGuard.ts';
import { createRecovery } from './recover.ts';

export interface ErrorWatch {
  /** A failure is known and something is being done about it. */
  isRecovering(): boolean;
  dispose(): void;
}

/** Turns dash.js' errors into recovery or the one fatal sentence. */
export function watchErrors(player: MediaPlayerClass, fatal: Fatal, manifest: ManifestGuard): ErrorWatch {
  let hasManifest = false;
  const recovery = createRecovery(player, fatal.fail);
  const onManifest = ({ data }: { data?: unknown }): void => {
    if (data) hasManifest = true;
  };
  const onError = ({ error }: { error?: unknown }): void => {
    const { data } = error as DashError;
    const failure = failureOf(error as DashError, { hasManifest, isProtected: manifest.isProtected() });
    if (failure.kind === 'fatal') fatal.fail(manifest.refusal() ?? failure.message);
    if (failure.kind === 'segment')
      recovery.onFailure(failure, (data?.request as FragmentRequest) ?? null, data?.response?.status ?? 0);
  };
  player.on('manifestLoaded', onManifest);
  player.on('error', onError);
  return {
    isRecovering: recovery.isWorking,
    dispose() {
      player.off('manifestLoaded', onManifest);
      player.off('error', onError);
      recovery.dispose();
    },
  };
}
