import type { MediaPlayerClass } from 'dashjs';
import type { PlacedPathway } from './pathways.ts';

/**
 * Reports the order in which the operator wants pathways to be used (DASH content steering, ETSI TS 103 998): that of the MPD
 * (`ContentSteering@defaultServiceLocation`), then that of each steering manifest (PATHWAY-PRIORITY). dash.js requests these
 * manifests, at the times that their TTL names. Returns the disposer.
 */
export function onSteeringOrder(
  player: Pick<MediaPlayerClass, 'on' | 'off' | 'getDashAdapter'>,
  onOrder: (ids: readonly string[]) => void,
): () => void {
  let isAnswered = false;
  const report = (ids: readonly string[] | undefined): void => {
    if (ids && ids.length > 0) onOrder(ids);
  };
  const onManifest = (event: unknown): void => {
    const { data } = event as { data?: object | null };
    // A reloaded MPD says again what the steering server has replaced.
    if (data && !isAnswered) report(defaultOrder(player, data));
  };
  const onAnswer = (event: unknown): void => {
    isAnswered = true;
    report((event as SteeringAnswered).currentSteeringResponseData?.pathwayPriority);
  };
  player.on('manifestLoaded', onManifest);
  // MediaPlayerEvents.js; the types of dash.js lack it.
  player.on('contentSteeringRequestCompleted' as 'manifestLoaded', onAnswer);
  return () => {
    player.off('manifestLoaded', onManifest);
    player.off('contentSteeringRequestCompleted' as 'manifestLoaded', onAnswer);
  };
}

interface SteeringAnswered {
  readonly currentSteeringResponseData?: { readonly pathwayPriority?: readonly string[] } | null;
}

const defaultOrder = (
  player: Pick<MediaPlayerClass, 'getDashAdapter'>,
  manifest: object,
): readonly string[] | undefined => {
  const element = player.getDashAdapter().getContentSteering(manifest);
  return (element as { readonly defaultServiceLocationArray?: readonly string[] } | undefined)
    ?.defaultServiceLocationArray;
};

/** Those that the order names, as it names them; then the others, as they were. */
export function inOrder(pathways: readonly PlacedPathway[], ids: readonly string[]): PlacedPathway[] {
  const named = ids.flatMap((id) => pathways.find((pathway) => pathway.id === id) ?? []);
  return [...new Set([...named, ...pathways])];
}
