/** One rung of a bitrate ladder. Ladders are arrays of rungs, ascending by bitrate; a rung's index is its number. */
export interface Rung {
  readonly bitrateKbps: number;
  /** Pixels; null for audio or when the manifest does not say. */
  readonly width: number | null;
  readonly height: number | null;
}

export type Ladder = readonly Rung[];

/** Index of the highest rung with bitrate ≤ `rateKbps`; the lowest rung when none fits. Throws on an empty ladder. */
export function highestRungWithin(ladder: Ladder, rateKbps: number): number {
  if (ladder.length === 0) throw new Error('empty ladder');
  let highest = ladder.length - 1;
  while (highest > 0 && !(ladder[highest]!.bitrateKbps <= rateKbps)) highest -= 1;
  return highest;
}

/** Tells whether two ladders are the same to a rule. */
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
