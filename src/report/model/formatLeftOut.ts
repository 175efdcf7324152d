import { leftOutReasons } from '../../../experiment/verdict/leftOutReasons.ts';
import type { VerdictRow } from '../../../experiment/verdict/verdicts.ts';
import { formatCount } from '../../shared/format.ts';

/** Which pairs a comparison is without, and why; null where it has all that were planned. */
export function formatLeftOut(row: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const reasons = leftOutReasons(row);
  return reasons === null ? null : `Of ${formatCount(row.pairs.planned, 'pair')} left out: ${reasons}.`;
}
