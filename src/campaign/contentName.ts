import { kebab } from './sessionIdOf.ts';

/** The address of a stream; its host and path are the groups. */
export const MPD_ADDRESS = /^https?:\/\/([^\s/?#]+)([^\s?#]*)\S*$/i;

/** A content in names of cells and pairs: as it is, or an address as host and path. */
export function contentName(content: string): string {
  const address = MPD_ADDRESS.exec(content);
  return address ? kebab(`${address[1]}${address[2]}`) : content;
}
