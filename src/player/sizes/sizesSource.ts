import type { Representation } from 'dashjs';
import type { MediaType, SizesEvent } from '../../abr/rule.ts';

/** What rules of ours are asked to choose from. */
export interface SizesQuestion {
  readonly mediaType: MediaType;
  /** One per rung, ascending. */
  readonly choices: readonly Representation[];
  /** 0-based number of the segment to be requested; null when the player cannot tell. */
  readonly segment: number | null;
}

/** Sizes of consecutive segments of one representation, and where they came from. */
export type KnownSizes = Pick<SizesEvent, 'from' | 'firstSegment' | 'sizesBytes'>;

export interface SizesNews extends KnownSizes {
  readonly mediaType: MediaType;
  /** As in the MPD. */
  readonly representationId: string;
}

/** One way to learn sizes. What it learns later than at once it tells as news. */
export interface SizesSource {
  /** Before each decision: begins to look up what these choices need. */
  lookUp(question: SizesQuestion): void;
  /** What is known by now; null for nothing. */
  known(mediaType: MediaType, representationId: string): KnownSizes | null;
}

/**
 * Where rules of ours learn the sizes of segments: from what the stream itself tells (its index, or the side file that
 * its MPD names), from a side file, by HEAD requests, or from nowhere.
 */
export type SizesWish = 'stream' | 'head' | 'none' | { readonly url: string };
