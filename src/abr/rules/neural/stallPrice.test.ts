import { describe, expect, test } from 'vitest';
import type { RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { madeUpNet } from './madeUpWeights.testing.ts';
import { afterStall, atPrice, NEVER_STALLED, stallPrice } from './stallPrice.ts';
import { weightedNeural } from './weightedNeural.ts';
import { valueOf } from '../../../shared/result.ts';

const stall = (atMs: number, durationMs: number): Extract<RuleEvent, { kind: 'stall' }> => ({
  kind: 'stall',
  atMs,
  durationMs,
});

describe('the price of a stall', () => {
  test.each([
    [[], 0, 1],
    // Less than the budget of 2 s.
    [[stall(0, 1500)], 1500, 1],
    [[stall(0, 5000)], 5000, 2.5],
    [[stall(0, 60_000)], 60_000, 3],
    // However long it was, half of the price is forgotten in the same time.
    [[stall(0, 60_000)], 60_000 + 600_000 * Math.LN2, 1.5],
    [[stall(0, 60_000), stall(60_000, 60_000)], 120_000 + 600_000 * Math.LN2, 1.5],
    // Half of it is forgotten after 416 s.
    [[stall(0, 5000)], 5000 + 600_000 * Math.LN2, 1.25],
    [[stall(0, 4000), stall(4000 + 600_000 * Math.LN2 - 2000, 2000)], 4000 + 600_000 * Math.LN2, 2],
    [[stall(0, 8000)], 1e9, 1],
  ])('after %j, at %i ms', (stalls, nowMs, price) => {
    expect(stallPrice(stalls.reduce(afterStall, NEVER_STALLED), nowMs)).toBeCloseTo(price, 10);
  });

  test('divides what levels are worth, and changes nothing else', () => {
    const state = { worth: [0, 0.5, 1], measured: null };
    expect(atPrice(state, 1)).toBe(state);
    expect(atPrice(state, 2)).toEqual({ ...state, worth: [0, 0.25, 0.5] });
  });
});

describe('the rule with guard=stalls', () => {
  const decisionAfter = (guard: string, events: readonly RuleEvent[]) => {
    const rule = valueOf(weightedNeural({ qoe: 'lin', guard, live: 'player' }, madeUpNet()));
    const context = contextOf(ladderOf(300, 750, 1200), { sizeBytes: (_, rung) => (rung + 1) * 150_000 });
    const state = [downloadOf(900), ...events].reduce(
      (before, event) => rule.observe(before, event),
      rule.start(context),
    );
    const { values, because } = rule.decide(state, momentOf({ nowMs: 6000 }));
    return { values: values!, because: typeof because === 'function' ? because() : because };
  };

  test('decides as without where nothing has stalled', () => {
    expect(decisionAfter('stalls', [])).toEqual(decisionAfter('off', []));
    expect(decisionAfter('stalls', [stall(0, 1000)]).values).not.toHaveProperty('stallPrice');
  });

  test('counts stalls more after stalls, and says so', () => {
    const after = decisionAfter('stalls', [stall(0, 6000)]);
    expect(after.values).toMatchObject({ stallPrice: 3 });
    expect(after.because).toContain(
      'After the stalls of the last minutes a stall counts 3.0 times as much as in the QoE.',
    );
    expect(after.values['probability0']).not.toBe(decisionAfter('off', []).values['probability0']);
    expect(decisionAfter('off', [stall(0, 6000)])).toEqual(decisionAfter('off', []));
  });
});
