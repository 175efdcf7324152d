import { expect, it } from 'vitest';
import { ladderOf } from '../../testMoments.testing.ts';
import { trainedLadder } from './trainedLadder.ts';

const TRAINED = [300, 750, 1200, 1850, 2850, 4300];

it.each([
  { name: 'its own', ladder: TRAINED, scale: 1, rungOf: [0, 1, 2, 3, 4, 5] },
  {
    name: 'ten times its own',
    ladder: TRAINED.map((kbps) => 10 * kbps),
    scale: 0.1,
    rungOf: [0, 1, 2, 3, 4, 5],
  },
  { name: 'one rung', ladder: [128], scale: 4300 / 128, rungOf: [0, 0, 0, 0, 0, 0] },
  { name: 'fewer rungs', ladder: [350, 1300, 4300], scale: 1, rungOf: [0, 1, 1, 1, 2, 2] },
  {
    name: 'more rungs',
    ladder: [290, 310, 400, 750, 1200, 1850, 2850, 4300],
    scale: 1,
    rungOf: [1, 3, 4, 5, 6, 7],
  },
  { name: 'two as near as each other', ladder: [150, 600, 4300], scale: 1, rungOf: [0, 1, 1, 2, 2, 2] },
  { name: 'two of the same bitrate', ladder: [4300, 4300], scale: 1, rungOf: [0, 0, 0, 0, 0, 0] },
])('a net reads $name', ({ ladder, scale, rungOf }) => {
  const found = trainedLadder(ladderOf(...ladder), TRAINED);
  expect(found.scale).toBeCloseTo(scale, 12);
  expect(found.rungOf).toEqual(rungOf);
});
