import { expect, test } from 'vitest';
import { qoeModels } from '../shared/qoe.ts';
import { pick } from '../shared/registry.ts';
import { envivio } from './envivio.ts';
import { qoeOfOutcome } from './outcomeQoe.ts';

const outcome = (rungs: number[], waitMs: number[]) => ({
  rungs: Uint8Array.from(rungs),
  waitMs: Float64Array.from(waitMs),
  stalls: waitMs.slice(1).filter((ms) => ms > 0).length,
  durationMs: 0,
});

test('the first segment counts only as the one before the second', () => {
  const qoe = qoeOfOutcome(outcome([1, 2, 2, 0], [900, 0, 500, 0]), envivio.video, pick(qoeModels, 'lin'));
  // 1.2 + 1.2 + 0.3 − 4.3 × 0.5 − (0.45 + 0 + 0.9)
  expect(qoe.sum).toBeCloseTo(-0.8, 12);
  expect(qoe.perSegment).toBeCloseTo(-0.8 / 3, 12);
  expect(qoe).toMatchObject({ segments: 3, switches: 2, stallSeconds: 0.5 });
});

test('every model has its own q and µ', () => {
  const session = outcome([0, 5], [0, 1000]);
  const sum = (id: string) => qoeOfOutcome(session, envivio.video, pick(qoeModels, id)).sum;
  expect(sum('lin')).toBeCloseTo(4.3 - 4.3 - 4, 12);
  expect(sum('log')).toBeCloseTo(-2.66, 12);
  expect(sum('hd')).toBeCloseTo(20 - 8 - 19, 12);
});

test('a session of one segment has no QoE', () => {
  expect(qoeOfOutcome(outcome([3], [900]), envivio.video, qoeModels[0]!)).toEqual({
    segments: 0,
    sum: 0,
    perSegment: null,
    switches: 0,
    stallSeconds: 0,
  });
});
