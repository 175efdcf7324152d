import { expect, test } from 'vitest';
import { carriedBytes } from './carriedBytes.ts';

test.each([
  ['over the network', [1300, 1000, 1000], 1000],
  ['compressed', [1300, 1000, 5000], 1000],
  ['from the cache', [0, 1000, 1000], null],
  ['after a 304', [300, 1000, 1000], null],
  ['without Timing-Allow-Origin', [null, null, 1000], 1000],
  ['cut off', [null, null, 700], 700],
  ['with an error in its body', [400, 100, null], null],
  ['empty', [300, 0, 0], 0],
] as const)('a body %s', (_name, [transferSizeBytes, encodedBodyBytes, receivedBytes], carried) =>
  expect(carriedBytes({ transferSizeBytes, encodedBodyBytes, receivedBytes })).toBe(carried),
);
