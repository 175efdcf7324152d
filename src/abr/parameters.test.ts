import { describe, expect, it } from 'vitest';
import type { Parameters } from './rule.ts';
import { contextOf, ladderOf, momentOf } from './testMoments.testing.ts';
import { tunableRule } from './parameters.ts';

const DEFAULTS = { rung: 1, word: 'calm', bold: false };

const rule = tunableRule(DEFAULTS, ({ rung, word }) => {
  if (rung < 0) throw new Error(`rung ${rung} cannot be`);
  return {
    id: 'toy',
    label: 'Toy',
    paper: 'none, a rule of this test',
    start: () => null,
    observe: (state: null) => state,
    decide: () => ({ rung, because: `${word}.` }),
  };
});
const answerOf = (each: typeof rule) => each.decide(each.start(contextOf(ladderOf(300))), momentOf());

describe('a rule with parameters', () => {
  it('runs with the values of its paper, and shows them', () => {
    expect(rule.parameters).toEqual(DEFAULTS);
    expect(answerOf(rule)).toEqual({ rung: 1, because: 'calm.' });
  });

  it('is another rule with other values, and the first stays as it was', () => {
    const other = rule.tuned!({ rung: 4, word: 'wild' });
    expect(other.parameters).toEqual({ rung: 4, word: 'wild', bold: false });
    expect(answerOf(other)).toEqual({ rung: 4, because: 'wild.' });
    expect(answerOf(rule)).toEqual({ rung: 1, because: 'calm.' });
    expect(DEFAULTS).toEqual({ rung: 1, word: 'calm', bold: false });
  });

  it('keeps the values set before when it is tuned again', () => {
    expect(rule.tuned!({ rung: 4 }).tuned!({ bold: true }).parameters).toEqual({
      rung: 4,
      word: 'calm',
      bold: true,
    });
  });

  it.each<{ changes: Parameters; says: string }>([
    { changes: { speed: 1 }, says: 'The rule toy has no parameter "speed"; it has rung, word, bold.' },
    {
      changes: { constructor: 1 } as unknown as Parameters,
      says: 'The rule toy has no parameter "constructor"; it has rung, word, bold.',
    },
    { changes: { rung: '4' }, says: 'The parameter rung of toy is a number, not "4".' },
    { changes: { rung: NaN }, says: 'The parameter rung of toy is a number, not NaN.' },
    { changes: { rung: Infinity }, says: 'The parameter rung of toy is a number, not Infinity.' },
    { changes: { word: 4 }, says: 'The parameter word of toy is a string, not 4.' },
    { changes: { bold: 'true' }, says: 'The parameter bold of toy is a boolean, not "true".' },
    { changes: { rung: -1 }, says: 'rung -1 cannot be' },
  ])('refuses $changes', ({ changes, says }) => {
    expect(() => rule.tuned!(changes)).toThrow(new Error(says));
  });
});
