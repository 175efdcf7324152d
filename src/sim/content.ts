import type { Ladder } from '../abr/ladder.ts';

/** What is played: one video track, and audio beside it where the player model is to fetch it. */
export interface Content {
  readonly name: string;
  readonly video: Track;
  readonly audio: Track | null;
  /** Bytes of the MPD, which the player model loads before anything else; absent where there is none. */
  readonly manifestBytes?: number;
  /** Bytes of the side file of sizes that a player of ours loads beside the first init segment; absent without one. */
  readonly sizesFileBytes?: number;
}

/** A track as a table of sizes. */
export interface Track {
  /** Ascending by bitrate. */
  readonly ladder: Ladder;
  readonly segmentMs: number;
  /** How many segments a session plays: 48 of Envivio's 49, as everybody does. */
  readonly segments: number;
  /**
   * `sizesBytes[rung][segment]`, a whole number of bytes > 0, one row per rung, at least `segments` in each. More is
   * legal: rules may look beyond the last segment played (Pensieve's state does).
   */
  readonly sizesBytes: readonly (readonly number[])[];
  /** Size of each rung's init segment; null where there is none or it is not known. */
  readonly initBytes: readonly number[] | null;
}
