import { describe, expect, it } from 'vitest';
import { historyCap, withSwitch, type SwitchHistory } from './dashState.ts';

const historyOf = (...rungs: number[]): SwitchHistory =>
  rungs
    .slice(1)
    .reduce<SwitchHistory>((history, to, index) => withSwitch(history, { from: rungs[index]!, to }, 8), []);

describe('dash.js’ SwitchHistoryRule', () => {
  it.each([
    { name: 'no opinion before 8 requests', rungs: [3, 2, 2, 2, 2, 2, 2, 2], cap: null },
    { name: 'none without a drop', rungs: [0, 1, 2, 3, 4, 5, 5, 5, 5], cap: null },
    {
      name: 'one drop in 8 is too many: below the rung that was left',
      rungs: [3, 2, 2, 2, 2, 2, 2, 2, 2],
      cap: 2,
    },
    { name: 'drops add up from the lowest rung on', rungs: [2, 2, 2, 1, 1, 1, 1, 1, 2], cap: 1 },
    { name: 'the lowest rung with 8 requests below counts', rungs: [4, 3, 3, 3, 3, 3, 3, 4, 3], cap: 3 },
    { name: 'what is older than 8 is forgotten', rungs: [3, 2, 2, 2, 2, 2, 2, 2, 2, 2], cap: null },
    { name: 'never below the lowest', rungs: [1, 0, 1, 0, 1, 0, 1, 0, 1], cap: 0 },
  ])('$name: $cap', ({ rungs, cap }) => {
    expect(historyCap(historyOf(...rungs), { size: 8, threshold: 0.075 })).toBe(cap);
  });

  it('lets more drops pass with a higher threshold', () => {
    const history = historyOf(3, 2, 2, 2, 2, 2, 2, 2, 2);
    expect(historyCap(history, { size: 8, threshold: 0.15 })).toBeNull();
  });

  it('caps at a rung that was not itself left', () => {
    // Seven requests up to rung 2, with a drop from 1; the eighth, from 3, completes the sample.
    expect(historyCap(historyOf(1, 0, 1, 2, 2, 2, 2, 3, 3), { size: 8, threshold: 0.075 })).toBe(3);
  });
});
