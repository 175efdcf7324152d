import { VIDEO } from '../timeline/columns.ts';
import { ladderAt } from '../timeline/moment.ts';
import type { SessionSeries } from '../timeline/series.ts';

/** A segment for which two sessions chose different rungs. Rungs are indexes into the ladder both have. */
interface DecisionDifference {
  readonly segment: number;
  /** When the compared session decided, ms of its own time. */
  readonly atMs: number;
  /** What it had buffered then: the segment is played so much later. */
  readonly bufferMs: number;
  /** Playing time of the segment; null where the ladder does not say. */
  readonly segmentMs: number | null;
  readonly referenceRung: number;
  readonly rung: number;
}

export interface DecisionDifferences {
  /** Segments for which both sessions have a decision. */
  readonly common: number;
  readonly differences: readonly DecisionDifference[];
  /** Why nothing can be compared, as a part of a sentence; null where it can. */
  readonly why: string | null;
}

/**
 * Where two sessions chose different video rungs for the same segment. The last decision for a segment's number counts: a
 * request that was given up is decided again, and a stream of several periods counts from the start in each of them.
 */
export function decisionDifferences(reference: SessionSeries, other: SessionSeries): DecisionDifferences {
  const [theirs, mine] = [chosenRungs(reference), chosenRungs(other)];
  const nothing = (why: string): DecisionDifferences => ({ common: 0, differences: [], why });
  if (theirs.size === 0) return nothing('the reference recorded no decision');
  if (mine.size === 0) return nothing('this session recorded no decision');
  if (formatLadder(reference) !== formatLadder(other))
    return nothing('its ladder differs from that of the reference');
  const segmentMs = ladderAt(other, 'video', 0)?.segmentMs ?? null;
  const common = [...mine].flatMap(([segment, choice]) => {
    const theirChoice = theirs.get(segment);
    return theirChoice === undefined
      ? []
      : [{ segment, segmentMs, referenceRung: theirChoice.rung, ...choice }];
  });
  if (common.length === 0) return nothing('the two sessions have no segment in common');
  const differences = common.filter(({ rung, referenceRung }) => rung !== referenceRung);
  return {
    common: common.length,
    differences: differences.sort((one, two) => one.atMs - two.atMs),
    why: null,
  };
}

interface Choice {
  readonly atMs: number;
  readonly bufferMs: number;
  readonly rung: number;
}

function chosenRungs({ decisions }: SessionSeries): Map<number, Choice> {
  const { atMs, bufferMs, rung, segment, lane } = decisions.columns;
  const chosen = new Map<number, Choice>();
  for (let row = 0; row < decisions.length; row += 1)
    if (lane[row] === VIDEO && !Number.isNaN(rung[row]!) && !Number.isNaN(segment[row]!))
      chosen.set(segment[row]!, { atMs: atMs[row]!, bufferMs: bufferMs[row]!, rung: rung[row]! });
  return chosen;
}

const formatLadder = (series: SessionSeries): string =>
  (ladderAt(series, 'video', 0)?.rungs ?? []).map(({ bitrateKbps }) => bitrateKbps).join();
