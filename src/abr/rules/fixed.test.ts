import { describe, expect, it } from 'vitest';
import type { Ladder } from '../ladder.ts';
import { contextOf, ladderOf, momentOf, downloadOf } from '../testMoments.testing.ts';
import { fixed, lowest } from './fixed.ts';

const answerAt = (rung: number, ladder: Ladder) => {
  const rule = fixed.tuned!({ level: rung + 1 });
  return rule.decide(rule.start(contextOf(ladder)), momentOf());
};

describe('the fixed rule', () => {
  it.each([
    { rung: 0, chosen: 0, because: 'Fixed at level 1 of 3 (0.30 Mbit/s).' },
    { rung: 2, chosen: 2, because: 'Fixed at level 3 of 3 (1.20 Mbit/s).' },
    {
      rung: 3,
      chosen: 2,
      because:
        'Fixed at level 4, which this ladder does not have: level 3 of 3 (1.20 Mbit/s) is its highest.',
    },
  ])('at $rung of three', ({ rung, chosen, because }) => {
    expect(answerAt(rung, ladderOf(300, 750, 1200))).toEqual({
      rung: chosen,
      because,
      values: { wishedRung: rung },
    });
  });

  it('goes back to the wished rung when a longer ladder comes', () => {
    const rule = fixed.tuned!({ level: 2 });
    const state = rule.observe(rule.start(contextOf(ladderOf(300))), {
      kind: 'ladder',
      atMs: 0,
      ladder: ladderOf(300, 750),
      segmentMs: 4000,
    });
    expect(rule.decide(state, momentOf()).rung).toBe(1);
  });

  it.each([0, -1, 0.5])('cannot stay at level %s', (level) => {
    expect(() => fixed.tuned!({ level })).toThrow(
      `The parameter level of fixed must be a whole number from 1, not ${level}.`,
    );
  });
});

it('always chooses the lowest, and names it after a new ladder', () => {
  let state = lowest.start(contextOf(ladderOf(300, 750)));
  state = lowest.observe(state, downloadOf(1e6));
  expect(lowest.decide(state, momentOf({ bufferMs: 1e6, lastRung: 1 }))).toEqual({
    rung: 0,
    because: 'Always the lowest: level 1 of 2 (0.30 Mbit/s).',
  });
  state = lowest.observe(state, { kind: 'ladder', atMs: 0, ladder: ladderOf(900), segmentMs: 4000 });
  expect(lowest.decide(state, momentOf()).because).toBe('Always the lowest: level 1 of 1 (0.90 Mbit/s).');
});
