/**
 * 32 bits of a text: FNV-1a over its UTF-16 units, then MurmurHash3's finaliser (Appleby, public domain), so that texts
 * which differ in a digit have unrelated hashes.
 */
export function hashOf(text: string): number {
  let h = 0x811c9dc5;
  for (let index = 0; index < text.length; index++) h = Math.imul(h ^ text.charCodeAt(index), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
