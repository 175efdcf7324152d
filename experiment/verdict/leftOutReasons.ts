import type { VerdictRow } from './verdicts.ts';

/** Why a comparison is without pairs that were planned, counted: "2 without both logs, 1 …"; null where it has all. */
export function leftOutReasons({
  comparison,
  pairs,
}: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const { missing, flagged, unknown, copies } = pairs;
  const reasons = [
    [missing, 'without both logs'],
    [flagged, 'invalidated by host overload'],
    [unknown.first, `without a value for ${comparison.first}`],
    [unknown.second, `without a value for ${comparison.second}`],
    [unknown.both, 'without a value for either'],
    [copies, 'copies of another simulated session'],
  ] as const;
  const words = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return words.length > 0 ? words.join(', ') : null;
}
