import type { Representation } from 'dashjs';
import type { Ladder, Rung } from '../abr/ladder.ts';
import { kbpsFromBitsPerSecond, msFromSeconds } from '../shared/units.ts';

/** What a ladder is made of: the fields of a dash.js Representation that we read. */
export type Choice = Pick<
  Representation,
  'id' | 'bandwidth' | 'width' | 'height' | 'fragmentDuration' | 'segmentDuration'
>;

/** dash.js sorts by quality ranking where the MPD has one; our rungs ascend by bitrate. */
export function byBitrate<C extends Choice>(choices: readonly C[]): C[] {
  return [...choices].sort((one, other) => one.bandwidth - other.bandwidth);
}

export function ladderOf(choices: readonly Choice[]): Ladder {
  return choices.map(rungOf);
}

/** ms; null before dash.js knows it. */
export function segmentMsOf(choices: readonly Choice[]): number | null {
  const seconds = choices[0]?.segmentDuration || choices[0]?.fragmentDuration;
  return seconds && Number.isFinite(seconds) ? msFromSeconds(seconds) : null;
}

export function sameLadder(one: Ladder, other: Ladder): boolean {
  return (
    one.length === other.length &&
    one.every(
      (rung, index) =>
        rung.bitrateKbps === other[index]?.bitrateKbps &&
        rung.width === other[index]?.width &&
        rung.height === other[index]?.height,
    )
  );
}

function rungOf({ bandwidth, width, height }: Choice): Rung {
  // dash.js writes NaN or 0 where the MPD says nothing (and for audio).
  return { bitrateKbps: kbpsFromBitsPerSecond(bandwidth), width: width || null, height: height || null };
}
