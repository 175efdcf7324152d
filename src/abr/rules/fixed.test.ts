import { describe, expect, it } from 'vitest';
import type { Ladder } from '../ladder.ts';
import { contextOf, ladderOf, momentOf, downloadOf } from '../testMoments.testing.ts';
import { fixed, lowest } from './fixed.ts';

const answerAt = (rung: number, ladder: Ladder) => {
  const rule = fixed.tuned!({ rung });
  return rule.decide(rule.start(contextOf(ladder)), momentOf());
};

describe('the fixed rule', () => {
  it.each([
    { rung: 0, chosen: 0, because: 'Fixed at rung 1 of 3 (0.30 Mbit/s).' },
    { rung: 2, chosen: 2, because: 'Fixed at rung 3 of 3 (1.20 Mbit/s).' },
    {
      rung: 3,
      chosen: 2,
      because: 'Fixed at rung 4, which this ladder does not have: rung 3 of 3 (1.20 Mbit/s) is its highest.',
    },
  ])('at $rung of three', ({ rung, chosen, because }) => {
    expect(answerAt(rung, ladderOf(300, 750, 1200))).toEqual({
      rung: chosen,
      because,
      values: { wishedRung: rung },
    });
  });

  it('goes back to the wished rung when a longer ladder comes', () => {
    const rule = fixed.tuned!({ rung: 1 });
    const state = rule.observe(rule.start(contextOf(ladderOf(300))), {
      kind: 'ladder',
      atMs: 0,
      ladder: ladderOf(300, 750),
      segmentMs: 4000,
    });
    expect(rule.decide(state, momentOf()).rung).toBe(1);
  });

  it.each([-1, 0.5])('cannot stay at rung %s', (rung) => {
    expect(() => fixed.tuned!({ rung })).toThrow(
      `The parameter rung of fixed must be a whole number from 0, not ${rung}.`,
    );
  });
});

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
