import { countedRequests } from './countedRequests.ts';
import { formatCount } from '../../shared/format.ts';

/** Chromium names no protocol for a byte range that it asks for through its cache. */
export const rangeCache = countedRequests({
  id: 'range-cache',
  label: 'byte ranges asked for through the cache',
  severity: 'warning',
  fits: ({ missing }) => missing['protocol'] === 'range-cache',
  sentence: (count) =>
    `The browser asked for ${formatCount(count, 'byte range')} through its cache, so the protocol is unknown`,
  fix: 'choose the preset Experiment, which bypasses the cache, or let the origin send Cache-Control: no-store',
});
