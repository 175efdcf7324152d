import { countedRequests } from './countedRequests.ts';
import { formatCount } from '../../shared/format.ts';

/** Answers of the browser's cache look like a very fast network. */
export const cachedAnswers = countedRequests({
  id: 'cached-answers',
  label: 'answers from the cache',
  severity: 'note',
  fits: ({ missing }) => missing['protocol'] === 'cached',
  sentence: (count) =>
    `The browser’s cache answered ${formatCount(count, 'request')} without a connection; this does not show the network`,
  fix: 'to measure the network, let the origin send Cache-Control: no-store',
});
