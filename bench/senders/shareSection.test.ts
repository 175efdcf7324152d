import { describe, expect, it, test } from 'vitest';
import { shareTheory, windowBytes } from './shareSection.ts';

describe('shareTheory', () => {
  it('gives one connection half, whatever is assumed', () => {
    for (const share of Object.values(shareTheory(1))) expect(share).toBeCloseTo(0.5, 12);
  });
  it.each([2, 6])('gives %d connections N/(N + 1) where the formula was made for', (connections) =>
    expect(shareTheory(connections).friendlyEvenLoss).toBeCloseTo(connections / (connections + 1), 12),
  );
  it('squares N where every overflow hits both, because the larger one also wins back faster', () =>
    expect(shareTheory(6).friendlyCommonLoss).toBeCloseTo(36 / 37, 12));
  it('gives about N/(N + 1) in the cubic region when both lose together', () =>
    expect(shareTheory(2).cubicCommonLoss).toBeCloseTo(0.675, 3));
  it('gives far less there when packets are lost at random', () =>
    expect(shareTheory(6).cubicEvenLoss).toBeCloseTo(0.614, 3));
});

const progress = [0, 100, 200, 300].map((at) => ({
  kind: 'progress' as const,
  atUnixMs: at,
  bytes: at * 10,
}));

test('counts what came between', () => expect(windowBytes(progress, 100, 250)).toBe(1000));
test('knows nothing of a time that was not reached', () => {
  expect(windowBytes(progress, 100, 301)).toBeNull();
  expect(windowBytes(progress, -1, 200)).toBeNull();
});
