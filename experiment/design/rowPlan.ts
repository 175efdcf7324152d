import type { CampaignFile } from './campaignFile.ts';
import type { PlannedPairs } from './planCampaign.ts';

export const ROW_PLAN_SCHEMA = 'pitwall-row-plan/1';

/**
 * The `plan.json` in the folder of a simulated campaign whose sessions are rows of metrics. A list of a million sessions would
 * be larger than their rows, so it has a hash in place of the list: the campaign file gives the same sessions again.
 */
export interface RowPlan {
  readonly schema: typeof ROW_PLAN_SCHEMA;
  readonly campaign: CampaignFile;
  /** SHA-256 of campaign, networks, contents and weights, and of the sessions of some pairs; hexadecimal. */
  readonly planSha256: string;
  /** Version of the definitions of metrics that the rows were computed with; absent in older folders. */
  readonly definitions?: number;
  /** SHA-256 of the sizes of all segments, hexadecimal; absent in older folders and where nothing was played. */
  readonly contentsSha256?: string;
  readonly sessions: number;
  readonly pairs: number;
  /** Number of pairs of each chunk but the last, which may have fewer. */
  readonly chunkPairs: number;
}

/** Returns whether the text of a `plan.json` is that of rows. */
export const isRowPlan = (text: string): boolean => /^\{\s*"schema": "pitwall-row-plan\//.test(text);

/** Some pairs of a plan in a row, which one file of rows holds. */
export interface Chunk {
  /** Place of the chunk among those of the plan, from 1. */
  readonly place: number;
  /** Place of the first pair of the chunk, from 0. `to` is the place behind its last pair. */
  readonly from: number;
  readonly to: number;
}

/** Returns how many chunks so many pairs make. */
export const countChunks = ({ pairs, chunkPairs }: Pick<RowPlan, 'pairs' | 'chunkPairs'>): number =>
  Math.ceil(pairs / chunkPairs);

/** Returns a chunk by its place, from 1. */
export const chunkAt = (
  place: number,
  { pairs, chunkPairs }: Pick<RowPlan, 'pairs' | 'chunkPairs'>,
): Chunk => ({
  place,
  from: (place - 1) * chunkPairs,
  to: Math.min(place * chunkPairs, pairs),
});

/** Number of pairs that are a part of a plan's hash, at equal distances: all pairs of a million would take seconds. */
const SAMPLED_PAIRS = 16;

/** Returns the places, from 0, of the pairs whose sessions are a part of the hash. */
export const sampledPairs = ({ count }: Pick<PlannedPairs, 'count'>): number[] => [
  ...new Set(
    Array.from({ length: SAMPLED_PAIRS }, (_, place) =>
      Math.floor((place * Math.max(0, count - 1)) / (SAMPLED_PAIRS - 1)),
    ),
  ),
];
