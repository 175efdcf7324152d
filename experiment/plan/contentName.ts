import { isLive } from './liveContent.ts';
import { PADDED } from './paddedContent.ts';
import { kebab } from './sessionIdOf.ts';

/** The address of a stream; its host and path are the groups. */
export const MPD_ADDRESS = /^https?:\/\/([^\s/?#]+)((?:\/[^\s?#]*)?)(?:[?#]\S*)?$/i;

/**
 * A content in names of cells and pairs, and on our own origin: as it is, an address as host and path, a padded stream,
 * live or not, without the folder of its table.
 */
export function contentName(content: string): string {
  const address = MPD_ADDRESS.exec(content);
  if (address) return kebab(`${address[1]}${address[2]}`);
  return content.startsWith(PADDED) || isLive(content)
    ? kebab(content.replace(/^((?:live:)?padded:)[^:]*[\\/](?=[^:\\/])/, '$1'))
    : content;
}
