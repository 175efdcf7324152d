/** Makes the recipe of a padded stream: everything that its bytes depend on. PURE. */
import type { Content, Track } from '../../../src/sim/content.ts';

export interface PaddedRecipe {
  readonly title: string;
  readonly segmentSeconds: number;
  /** Rungs, ascending by bitrate, all with the same count of segments. */
  readonly video: readonly PaddedRung[];
  /** Bitrate of the sound; null: without sound. */
  readonly audioKbps: number | null;
}

interface PaddedRung {
  /** Bitrate that the table's own ladder gives the rung, so that rules and QoE see the same here and in the simulator. */
  readonly bitrateKbps: number;
  /** Size of each segment, the padding included. */
  readonly sizesBytes: readonly number[];
}

interface PaddedAsked {
  readonly segmentSeconds: number;
  /** Shortest length of the stream: its last segment is whole. */
  readonly seconds: number;
  /** Another ladder for the video of the table, ascending; the table's own if not given. */
  readonly ladderKbps?: readonly number[];
  readonly audioKbps?: number;
}

/**
 * Makes the recipe of a stream of any length whose sizes follow a table: entry n is segment n, and after the last one that a
 * session plays, the first follows again. Segments of another length are in proportion, so that bitrate and variation stay. A
 * rung of another ladder has the sizes of the table's rung that is nearest in ratio, in proportion to its bitrate.
 */
export function paddedRecipe({ name, video: table }: Content, asked: PaddedAsked): PaddedRecipe {
  const { segmentSeconds, seconds, audioKbps = null } = asked;
  const segments = Math.ceil(seconds / segmentSeconds);
  const ownKbps = table.ladder.map(({ bitrateKbps }) => bitrateKbps);
  return {
    // The title has only the last part of the path of a table on disk: the path is private.
    title: `${name.split(/[\\/]/).findLast((part) => part !== '') ?? name}, padded`,
    segmentSeconds,
    video: (asked.ladderKbps ?? ownKbps).map((bitrateKbps) => {
      const rung = nearest(ownKbps, bitrateKbps);
      const scale = (bitrateKbps / ownKbps[rung]!) * ((segmentSeconds * 1000) / table.segmentMs);
      return { bitrateKbps, sizesBytes: sizesOf(table, rung, { segments, scale }) };
    }),
    audioKbps,
  };
}

function sizesOf(
  { sizesBytes, segments: played }: Track,
  rung: number,
  { segments, scale }: { segments: number; scale: number },
): number[] {
  return Array.from({ length: segments }, (_, n) => Math.round(sizesBytes[rung]![n % played]! * scale));
}

/** Returns the index of the bitrate whose ratio to `bitrateKbps` is nearest to 1. */
function nearest(ladderKbps: readonly number[], bitrateKbps: number): number {
  const distances = ladderKbps.map((each) => Math.abs(Math.log(each / bitrateKbps)));
  return distances.indexOf(Math.min(...distances));
}

/** Returns the mean bitrate of a rung over time, in kbit/s. */
export function meanKbps({ segmentSeconds }: PaddedRecipe, { sizesBytes }: PaddedRung): number {
  const bytes = sizesBytes.reduce((sum, size) => sum + size, 0);
  return (bytes * 8) / (1000 * segmentSeconds * sizesBytes.length);
}
