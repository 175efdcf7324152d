import type { Ladder } from './ladder.ts';
import type { Answer, Moment } from './rule.ts';

/**
 * What a rule that measures answers before it has measured anything: the rung where playback starts, which is the
 * player's choice (`lastRung`), or else the lowest.
 */
export function unmeasured(ladder: Ladder, { lastRung }: Moment): Answer {
  const rung = Math.min(lastRung ?? 0, ladder.length - 1);
  return {
    rung,
    because: () =>
      `No download measured yet, so rung ${rung + 1} of ${ladder.length}, where playback starts.`,
    values: { estimateKbps: null },
  };
}
