import type { Ladder } from '../../abr/ladder.ts';
import { failed, ok, type Result } from '../../shared/result.ts';
import type { Content } from '../content.ts';

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
  if (ladder.length === 0) return 'The video has no rung.';
  for (const [rung, { bitrateKbps }] of ladder.entries()) {
    if (!(bitrateKbps > 0) || bitrateKbps === Infinity) return `A rung of ${bitrateKbps} kbit/s cannot be.`;
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
    return `There are sizes for ${sizesBytes.length} rungs, but the ladder has ${ladder.length}.`;
  const longest = Math.max(0, ...sizesBytes.map((row) => row.length));
  if (longest === 0) return 'There is no segment.';
  for (const [rung, { bitrateKbps }] of ladder.entries()) {
    const fault = rowFault(sizesBytes[rung] ?? [], longest);
    if (fault !== null) return `The rung of ${bitrateKbps} kbit/s ${fault}`;
  }
  return null;
}

function rowFault(row: readonly number[], longest: number): string | null {
  if (row.length === 0) return 'has no sizes.';
  const wrong = row.findIndex((size) => !(Number.isInteger(size) && size > 0));
  if (wrong >= 0)
    return `has a size of ${row[wrong]} bytes for segment ${wrong}; it must be a whole number above 0.`;
  return row.length < longest
    ? `has no size for segment ${row.length}; another rung has ${longest} segments.`
    : null;
}
