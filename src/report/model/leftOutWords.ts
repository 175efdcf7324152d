import { counted } from '../words.ts';
import type { VerdictRow } from '../../campaign/verdict/verdicts.ts';

/** Which pairs a comparison is without, and why; null where it has all that were planned. */
export function leftOutWords({ comparison, pairs }: Pick<VerdictRow, 'comparison' | 'pairs'>): string | null {
  const { missing, flagged, unknown, copies } = pairs;
  const reasons = [
    [missing, 'without both logs'],
    [flagged, 'spoilt by the machine'],
    [unknown.first, `without a value for ${comparison.first}`],
    [unknown.second, `without a value for ${comparison.second}`],
    [unknown.both, 'without a value for either'],
    [copies, 'played by the simulator just as another'],
  ] as const;
  const words = reasons.filter(([count]) => count > 0).map(([count, why]) => `${count} ${why}`);
  return words.length > 0 ? `Of ${counted(pairs.planned, 'pair')} left out: ${words.join(', ')}.` : null;
}
