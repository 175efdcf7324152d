/** What a padded stream is made of: everything that its bytes depend on. PURE. */
import type { Content, Track } from '../../../src/sim/content.ts';

export interface PaddedRecipe {
  readonly title: string;
  readonly segmentSeconds: number;
  /** Ascending by bitrate, all with as many segments. */
  readonly video: readonly PaddedRung[];
  /** null: without sound. */
  readonly audioKbps: number | null;
}

export interface PaddedRung {
  /** What the table's own ladder calls the rung, so that rules and QoE see the same here and in the simulator. */
  readonly bitrateKbps: number;
  /** Of each segment, the padding included. */
  readonly sizesBytes: readonly number[];
}

export interface PaddedAsked {
  readonly segmentSeconds: number;
  /** At least so long: the last segment is whole. */
  readonly seconds: number;
  /** Another ladder for the same video; the table's own if not given. Ascending. */
  readonly ladderKbps?: readonly number[];
  readonly audioKbps?: number;
}

/**
 * A stream of any length whose sizes follow a table: entry n is segment n, and after the last one that a session plays comes
 * the first again. Segments of another length are in proportion, so that bitrate and variation stay. A rung of another
 * ladder takes after the one of the table that is nearest in ratio, in proportion to its bitrate.
 */
export function paddedRecipe({ name, video: table }: Content, asked: PaddedAsked): PaddedRecipe {
  const { segmentSeconds, seconds, audioKbps = null } = asked;
  const segments = Math.ceil(seconds / segmentSeconds);
  const ownKbps = table.ladder.map(({ bitrateKbps }) => bitrateKbps);
  return {
    // Of a table on disk only the last part: a path is nobody else's business.
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

/** Index of the bitrate whose ratio to `bitrateKbps` is nearest to 1. */
function nearest(ladderKbps: readonly number[], bitrateKbps: number): number {
  const distances = ladderKbps.map((each) => Math.abs(Math.log(each / bitrateKbps)));
  return distances.indexOf(Math.min(...distances));
}

/** Mean of a rung's bytes over time, in kbit/s. */
export function meanKbps({ segmentSeconds }: PaddedRecipe, { sizesBytes }: PaddedRung): number {
  const bytes = sizesBytes.reduce((sum, size) => sum + size, 0);
  return (bytes * 8) / (1000 * segmentSeconds * sizesBytes.length);
}
