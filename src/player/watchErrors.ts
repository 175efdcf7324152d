import type { FragmentRequest, MediaPlayerClass } from 'dashjs';
import type { Telemetry } from '../telemetry/shell/telemetry.ts';
import { failureOf, type DashError } from './errors.ts';
import type { Fatal } from './fatal.ts';
import { createRecovery } from './recover.ts';

/** Turns dash.js' errors into recovery, a note in the log, or the one fatal sentence. Returns the disposer. */
export function watchErrors(
  player: MediaPlayerClass,
  telemetry: Telemetry,
  { fatal, refusal }: { fatal: Fatal; refusal: () => string | null },
): () => void {
  let hasManifest = false;
  const recovery = createRecovery(player, fatal.fail);
  const onManifest = ({ data }: { data?: unknown }): void => {
    if (data) hasManifest = true;
  };
  const onError = ({ error }: { error?: unknown }): void => {
    const failure = failureOf(error as DashError, { hasManifest });
    if (failure.kind === 'fatal') fatal.fail(refusal() ?? failure.message);
    if (failure.kind === 'segment') {
      const { request, response } = (error as DashError).data ?? {};
      recovery.onFailure(failure, (request as FragmentRequest | null) ?? null, response?.status ?? 0);
    }
  };
  player.on('manifestLoaded', onManifest);
  player.on('error', onError);
  void telemetry;
  return () => {
    player.off('manifestLoaded', onManifest);
    player.off('error', onError);
    recovery.dispose();
  };
}
