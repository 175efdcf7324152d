import type { Ladder } from '../abr/ladder.ts';
import { failed, ok, type Result } from '../shared/result.ts';

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

/** A video as its files describe it, not yet checked. */
export interface VideoTable {
  readonly name: string;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  /** `sizesBytes[rung][segment]` */
  readonly sizesBytes: readonly (readonly number[])[];
  readonly initBytes?: readonly number[] | null;
  /** How many segments are played; all when not given. */
  readonly segments?: number;
}

/** The content of a table, or one sentence that names the rung and the segment at fault. Segments count from 0. */
export function contentOf({ name, initBytes = null, ...table }: VideoTable): Result<Content> {
  const fault = ladderFault(table.ladder) ?? durationFault(table.segmentMs) ?? sizesFault(table);
  if (fault !== null) return failed(`${name}: ${fault}`);
  const segments = table.segments ?? table.sizesBytes[0]!.length;
  return ok({ name, video: { ...table, segments, initBytes }, audio: null });
}

function ladderFault(ladder: Ladder): string | null {
  if (ladder.length === 0) return 'The video has no level.';
  for (const [rung, { bitrateKbps }] of ladder.entries()) {
    if (!(bitrateKbps > 0) || bitrateKbps === Infinity) return `A level of ${bitrateKbps} kbit/s cannot be.`;
    const beforeKbps = ladder[rung - 1]?.bitrateKbps ?? 0;
    if (bitrateKbps <= beforeKbps)
      return `The ladder must rise, but ${bitrateKbps} follows ${beforeKbps} kbit/s.`;
  }
  return null;
}

const durationFault = (segmentMs: number): string | null =>
  segmentMs > 0 && segmentMs < Infinity ? null : `A segment of ${segmentMs} ms cannot be.`;

function sizesFault({ ladder, sizesBytes }: Omit<VideoTable, 'name'>): string | null {
  if (sizesBytes.length > ladder.length)
    return `There are sizes for ${sizesBytes.length} levels, but the ladder has ${ladder.length}.`;
  const longest = Math.max(0, ...sizesBytes.map((row) => row.length));
  if (longest === 0) return 'There is no segment.';
  for (const [rung, { bitrateKbps }] of ladder.entries()) {
    const fault = rowFault(sizesBytes[rung] ?? [], longest);
    if (fault !== null) return `The level of ${bitrateKbps} kbit/s ${fault}`;
  }
  return null;
}

function rowFault(row: readonly number[], longest: number): string | null {
  if (row.length === 0) return 'has no sizes.';
  const wrong = row.findIndex((size) => !(Number.isInteger(size) && size > 0));
  if (wrong >= 0)
    return `has a size of ${row[wrong]} bytes for segment ${wrong}; it must be a whole number above 0.`;
  return row.length < longest
    ? `has no size for segment ${row.length}; another level has ${longest} segments.`
    : null;
}
