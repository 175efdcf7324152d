/**
 * Where rules of ours learn the sizes of segments: from what the stream itself tells (its index, or the side file that
 * its MPD names), from a side file, by HEAD requests, or from nowhere.
 */
export type SizesWish = 'stream' | 'head' | 'none' | { readonly url: string };
