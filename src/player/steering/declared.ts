import type { MediaPlayerClass } from 'dashjs';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { declaredPathways } from './pathwayMap.ts';
import type { PlacedPathway } from './pathways.ts';
import { recordFault } from './steeringRun.ts';

/**
 * Reports the pathways that the first manifest declares: dash.js reads it before it requests any media. A sentence goes into
 * the log where it declares none. Returns the disposer.
 */
export function onDeclaredPathways(
  player: Pick<MediaPlayerClass, 'on' | 'off' | 'getDashAdapter'>,
  telemetry: Pick<Telemetry, 'record' | 'nowMs'>,
  declare: (pathways: readonly PlacedPathway[]) => void,
): () => void {
  const off = (): void => player.off('manifestLoaded', onManifest);
  const onManifest = (event: unknown): void => {
    const { data } = event as { data?: object | null };
    if (!data) return;
    off();
    const pathways = declaredPathways(player.getDashAdapter().getBaseURLsFromElement(data));
    if (pathways.length > 0) declare(pathways);
    else recordFault(telemetry, { code: 'pathway', message: NONE });
  };
  player.on('manifestLoaded', onManifest);
  return off;
}

const NONE =
  'Nothing is steered: no pathway was given, and the MPD names no two servers (BaseURL with a serviceLocation).';
