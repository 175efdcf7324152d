import { countedRequests } from './countedRequests.ts';
import { formatCount } from '../../shared/format.ts';

/** Better no timing than the timing of another request. */
export const rangeAmbiguous = countedRequests({
  id: 'range-ambiguous',
  label: 'timing entries that look alike',
  severity: 'note',
  fits: ({ missing }) => missing['protocol'] === 'range-ambiguous',
  sentence: (count) =>
    `Protocol and phases of ${formatCount(count, 'request')} are unknown, because several timing entries of one address fit equally well (range-ambiguous)`,
  fix: null,
});
