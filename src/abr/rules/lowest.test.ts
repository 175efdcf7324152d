import { expect, it } from 'vitest';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { lowest } from './lowest.ts';

it('always chooses the lowest, and names it after a new ladder', () => {
  let state = lowest.start(contextOf(ladderOf(300, 750)));
  state = lowest.observe(state, downloadOf(1e6));
  expect(lowest.decide(state, momentOf({ bufferMs: 1e6, lastRung: 1 }))).toEqual({
    rung: 0,
    because: 'Always the lowest: rung 1 of 2 (0.30 Mbit/s).',
  });
  state = lowest.observe(state, { kind: 'ladder', atMs: 0, ladder: ladderOf(900), segmentMs: 4000 });
  expect(lowest.decide(state, momentOf()).because).toBe('Always the lowest: rung 1 of 1 (0.90 Mbit/s).');
});
