import { describe, expect, it } from 'vitest';
import { checkedAnswer, stay, unmeasured } from './answer.ts';
import type { Answer } from './rule.ts';
import { momentOf, ladderOf } from './testMoments.testing.ts';

describe('a rule’s answer', () => {
  it.each([NaN, -1, 3, 1.5, Infinity, undefined, '1', null])('with rung %s is a fault', (rung) => {
    const checked = checkedAnswer({ rung: rung as number, because: 'x' }, 3);
    expect(checked).toEqual({
      ok: false,
      error: `it returned the index ${rung}, but the levels have the indices 0 to 2`,
    });
  });

  it.each([NaN, -5, Infinity])('that holds until %s ms is a fault', (holdUntilBufferMs) => {
    expect(checkedAnswer({ rung: 0, because: 'x', holdUntilBufferMs }, 3).ok).toBe(false);
  });

  it('is made ready for the log: a sentence, finite numbers', () => {
    const answer: Answer = { rung: 2, because: () => 'So.', values: { a: NaN, b: 1, c: null, d: Infinity } };
    expect(checkedAnswer(answer, 3)).toEqual({
      ok: true,
      value: {
        rung: 2,
        because: 'So.',
        values: { a: null, b: 1, c: null, d: null },
        holdUntilBufferMs: null,
      },
    });
  });

  it('that fails leaves playback where it is, and says why', () => {
    expect(stay(momentOf({ lastRung: 4 }), new Error('boom.'))).toMatchObject({
      rung: 4,
      because: 'The rule failed (boom), so playback stays on level 5.',
    });
    expect(stay(momentOf({ lastRung: null }), 'odd').rung).toBe(0);
  });
});

it.each([
  { name: 'where the player starts', lastRung: 1, rung: 1 },
  { name: 'the lowest when nothing was requested', lastRung: null, rung: 0 },
  { name: 'inside a ladder that became shorter', lastRung: 5, rung: 1 },
])('an unmeasured path: $name', ({ lastRung, rung }) => {
  const answer = unmeasured(ladderOf(300, 800), momentOf({ lastRung }));
  expect(answer.rung).toBe(rung);
  expect(answer.values).toEqual({ estimateKbps: null });
});
