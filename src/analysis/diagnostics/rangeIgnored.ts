import { countedRequests } from './countedRequests.ts';
import { formatCount } from '../../shared/format.ts';

/** RFC 9110 §14.2: a server may ignore Range and answer 200 with all of it; each segment then costs the whole file. */
export const rangeIgnored = countedRequests({
  id: 'range-ignored',
  label: 'servers that ignore Range',
  severity: 'warning',
  fits: ({ range, status }) => range !== null && status === 200,
  sentence: (count) =>
    `The server ignores Range: ${formatCount(count, 'request')} for a part of a file got the whole file (status 200 instead of 206)`,
  fix: 'serve these files from a server that answers byte ranges, or give each segment a file of its own',
});
