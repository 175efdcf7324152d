import { describe, expect, it } from 'vitest';
import type { Answer } from '../abr/rule.ts';
import { ladderOf, momentOf } from '../abr/testMoments.ts';
import { checkedAnswer } from './checkedAnswer.ts';
import { decisionOf } from './decisionOf.ts';
import { faultOf, stay } from './ruleFault.ts';

describe('a rule’s answer', () => {
  it.each([NaN, -1, 3, 1.5, Infinity, undefined, '1', null])('with rung %s is a fault', (rung) => {
    const checked = checkedAnswer({ rung: rung as number, because: 'x' }, 3);
    expect(checked).toEqual({ ok: false, error: `it chose rung ${rung}, but the rungs are 0 to 2` });
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

  it('that fails leaves playback where it is, and says why without a stack', () => {
    expect(stay(momentOf({ lastRung: 4 }), new Error('boom.'))).toMatchObject({
      rung: 4,
      because: 'The rule failed (boom), so playback stays on rung 5.',
    });
    expect(stay(momentOf({ lastRung: null }), 'odd').rung).toBe(0);
    const event = faultOf('mine', new Error('boom'), 7);
    expect(event).toMatchObject({ source: 'rule', code: 'mine', message: 'The rule mine failed: boom.' });
    expect(faultOf('mine', 'x'.repeat(9000), 7).message.length).toBeLessThan(1100);
  });
});

describe('a decision for the log', () => {
  const answer = { rung: 1, because: 'So.', values: {}, holdUntilBufferMs: null };
  const question = {
    mediaType: 'video' as const,
    offer: { ladder: ladderOf(300, 750), segmentMs: 4000 },
  };

  it('gives a reason for each null', () => {
    const moment = momentOf({ segment: null, lastRung: null });
    const decision = decisionOf({
      ruleId: 'mine',
      question: { ...question, moment },
      answer,
      toldId: null,
      estimateKbps: NaN,
      tookMs: 0.2,
    });
    expect(decision).toMatchObject({
      rung: 1,
      bitrateKbps: 750,
      fromRung: null,
      segment: null,
      rule: 'mine',
    });
    expect(decision.missing).toEqual({
      segment: 'not-supported',
      fromRung: 'too-early',
      holdUntilBufferMs: 'not-applicable',
      estimateKbps: 'too-early',
    });
  });

  it('gives none beside a value', () => {
    const held = { ...answer, holdUntilBufferMs: 8000 };
    const all = {
      ruleId: 'mine',
      question: { ...question, moment: momentOf() },
      toldId: 't7',
      estimateKbps: 900,
      tookMs: 0,
    };
    expect(decisionOf({ ...all, answer: held })).toMatchObject({ missing: {}, toldId: 't7' });
  });
});
