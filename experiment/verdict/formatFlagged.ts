import type { FlaggedPairs } from './flaggedPairs.ts';
import { formatCount } from '../../src/shared/format.ts';

/** Lines beneath a campaign's table; more would bury it. */
const MAX_PAIRS = 10;

/** How many pairs are left out of a table, and why. An empty text where there are none. */
export function formatFlagged({ flagged, begun }: FlaggedPairs): string {
  if (flagged.size === 0) return '';
  const pairs = [...flagged].slice(0, MAX_PAIRS).map(([pair, arms]) => {
    const [first, ...others] = arms;
    const more = others.length > 0 ? ` and ${others.length} more of its arms` : '';
    return `  ${pair}: ${first?.arm}${more}: ${first?.flags.join(' ')}`;
  });
  const rest = flagged.size > MAX_PAIRS ? [`  and ${flagged.size - MAX_PAIRS} more`] : [];
  const count = `${flagged.size} of ${formatCount(begun, 'pair')} left out`;
  return [`${count}: invalidated by host overload in`, ...pairs, ...rest].join('\n');
}
