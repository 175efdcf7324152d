import { describe, expect, it } from 'vitest';
import { checkedAnswer, stay, unmeasured } from './answer.ts';
import type { Answer, LiveMoment } from './rule.ts';
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

  it('may have a playback rate within the limits that it was given, and no other', () => {
    const errorOf = (playbackRate: number, live?: LiveMoment): string | null => {
      const checked = checkedAnswer({ rung: 0, because: 'x', playbackRate }, 3, live);
      return checked.ok ? null : checked.error;
    };
    const live = { targetMs: 2000, minRate: 0.96, maxRate: 1.04 };
    expect([errorOf(0.96, live), errorOf(1, live), errorOf(1.04, live)]).toEqual([null, null, null]);
    for (const rate of [0.95, 1.05, NaN])
      expect(errorOf(rate, live)).toBe(
        `it wants a playback rate of ${rate}, but the limits are 0.96 and 1.04`,
      );
    expect(errorOf(1)).toBe('it wants a playback rate of 1 where it may set none');
    expect(checkedAnswer({ rung: 0, because: 'x', playbackRate: 1.02 }, 3, live)).toMatchObject({
      value: { playbackRate: 1.02 },
    });
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
    expect(stay(momentOf({ lastRung: 4 }), 'odd')).not.toHaveProperty('playbackRate');
    const live = { targetMs: 2000, minRate: 0.9, maxRate: 1.1 };
    expect(stay({ ...momentOf({ lastRung: 4 }), live }, 'odd').playbackRate).toBe(1);
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
