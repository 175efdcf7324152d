import { countedRequests } from './countedRequests.ts';
import { formatCount } from '../../shared/format.ts';

/** An answer that the browser did not write into its Resource Timing. */
export const noTimingEntry = countedRequests({
  id: 'no-timing-entry',
  label: 'answers without a timing entry',
  severity: 'note',
  fits: ({ missing, outcome }) => outcome === 'ok' && missing['protocol'] === 'no-entry',
  sentence: (count) =>
    `The browser made no timing entry for ${formatCount(count, 'request')} that succeeded, so protocol and phases are unknown`,
  fix: null,
});
