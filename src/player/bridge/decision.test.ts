import { describe, expect, it } from 'vitest';
import { ladderOf, momentOf } from '../../abr/testMoments.testing.ts';
import { decisionOf, faultOf } from './decision.ts';

describe('a rule that failed', () => {
  it('is an event with its words, without a stack and not too many', () => {
    expect(faultOf('mine', new Error('boom'), 7)).toMatchObject({
      source: 'rule',
      code: 'mine',
      message: 'The rule mine failed: boom.',
    });
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
      inputId: null,
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
      inputId: 't7',
      estimateKbps: 900,
      tookMs: 0,
    };
    expect(decisionOf({ ...all, answer: held })).toMatchObject({ missing: {}, inputId: 't7' });
  });
});
