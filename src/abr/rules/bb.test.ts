import { describe, expect, it } from 'vitest';
import type { Moment } from '../rule.ts';
import { contextOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { bb } from './bb.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);
const answerAt = (moment: Partial<Moment>, rule = bb) =>
  rule.decide(rule.start(contextOf(ladder)), momentOf(moment));

describe('the buffer-based baseline of Pensieve', () => {
  it.each([
    { bufferMs: 0, rung: 0 },
    { bufferMs: 5000, rung: 0 },
    { bufferMs: 6999, rung: 0 },
    { bufferMs: 7000, rung: 1 },
    { bufferMs: 9000, rung: 2 },
    { bufferMs: 14_999, rung: 4 },
    { bufferMs: 15_000, rung: 5 },
    { bufferMs: 60_000, rung: 5 },
  ])('$bufferMs ms of buffer: rung $rung', ({ bufferMs, rung }) => {
    expect(answerAt({ bufferMs }).rung).toBe(rung);
  });

  it('says where in the cushion it is, and when the player keeps too little for it', () => {
    const reasonAt = (moment: Partial<Moment>): string => {
      const { because } = answerAt(moment);
      return typeof because === 'string' ? because : because();
    };
    expect(reasonAt({ bufferMs: 9000 })).toBe(
      'The buffer of 9.0 s fills 40 % of the cushion between 5.0 s and 15.0 s: level 3 of 6 (1.20 Mbit/s).',
    );
    expect(reasonAt({ bufferMs: 9000, bufferTargetMs: 12_000 })).toContain('keeps no more than 12.0 s');
  });

  it('takes another cushion', () => {
    const wide = bb.tuned!({ reservoirMs: 8000, cushionMs: 46_000 });
    expect(answerAt({ bufferMs: 15_000 }, wide as typeof bb).rung).toBe(0);
    expect(answerAt({ bufferMs: 54_000 }, wide as typeof bb).rung).toBe(5);
  });

  it.each([{ cushionMs: 0 }, { reservoirMs: -1 }])('cannot run with %o', (changes) => {
    expect(() => bb.tuned!(changes)).toThrow('of bb must be at least 0 and above 0');
  });
});
