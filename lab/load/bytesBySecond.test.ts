import { expect, test } from 'vitest';
import { bytesBySecond } from './bytesBySecond.ts';

const received = (readings: readonly (readonly [atUnixMs: number, bytes: number])[]) =>
  readings.map(([atUnixMs, bytes]) => ({ atUnixMs, bytes }));
const from = (fromUnixMs: number, untilUnixMs: number) => ({ fromUnixMs, untilUnixMs });

test.each([
  ['nothing came', [], from(0, 2000), [0, 0]],
  // 0.5 s at 100 bytes, then 0.5 s at 300
  [
    'readings beside the seconds',
    [
      [500, 0],
      [1000, 100],
      [1500, 400],
      [2000, 400],
    ],
    from(0, 2000),
    [100, 300],
  ],
  [
    'between two readings bytes come evenly',
    [
      [0, 0],
      [4000, 400],
    ],
    from(0, 4000),
    [100, 100, 100, 100],
  ],
  [
    'before the first reading and after the last none',
    [
      [1000, 0],
      [1500, 50],
    ],
    from(0, 3500),
    [0, 50, 0, 0],
  ],
  [
    'seconds of the link, not of the clock',
    [
      [300, 0],
      [1300, 10],
      [2300, 40],
    ],
    from(300, 2300),
    [10, 30],
  ],
  [
    'the last second is a part of one',
    [
      [0, 0],
      [1500, 150],
    ],
    from(0, 1500),
    [100, 50],
  ],
  [
    'rounding loses nothing',
    [
      [0, 0],
      [3000, 10],
    ],
    from(0, 3000),
    [3, 4, 3],
  ],
  ['no time at all', [[0, 0]], from(1000, 1000), []],
] as const)('%s', (_what, readings, span, seconds) => {
  expect(bytesBySecond(received(readings), span)).toEqual(seconds);
});
