import type { RequestEvent } from '../../telemetry/event.ts';

/** The log has no Content-Type: known from what was asked for, else from the name's ending, else as DevTools says unknown. */
export function mimeTypeOf({ type, mediaType, url }: RequestEvent): string {
  if (type === 'manifest') return 'application/dash+xml';
  if (mediaType === null || mediaType === 'text') return UNKNOWN;
  const ending = /\.([a-z0-9]+)(?:[?#]|$)/i.exec(url)?.[1]?.toLowerCase() ?? '';
  const container = CONTAINERS.get(ending);
  return container === undefined ? UNKNOWN : `${mediaType}/${container}`;
}

const UNKNOWN = 'x-unknown';
const CONTAINERS: ReadonlyMap<string, string> = new Map([
  ['webm', 'webm'],
  ...['mp4', 'm4s', 'm4v', 'm4a', 'cmfv', 'cmfa'].map((ending) => [ending, 'mp4'] as const),
]);
