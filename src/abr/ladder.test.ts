import { describe, expect, it } from 'vitest';
import { highestRungWithin, sameLadder } from './ladder.ts';

const ladder = [300, 750, 1200].map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));

describe('the highest rung within a rate', () => {
  it.each([
    [0, 0],
    [299, 0],
    [300, 0],
    [749.9, 0],
    [750, 1],
    [1e9, 2],
    [Number.NaN, 0],
  ])('%s kbit/s carries rung %s', (rateKbps, rung) => {
    expect(highestRungWithin(ladder, rateKbps)).toBe(rung);
  });

  it('is an error on an empty ladder', () => {
    expect(() => highestRungWithin([], 1000)).toThrow('empty ladder');
  });
});

describe('two ladders', () => {
  it('are compared by what a rule sees of them', () => {
    expect(sameLadder(ladder, structuredClone(ladder))).toBe(true);
    expect(sameLadder(ladder, ladder.slice(1))).toBe(false);
    for (const other of [{ bitrateKbps: 301 }, { width: 1 }, { height: 1 }])
      expect(sameLadder(ladder, [{ ...ladder[0]!, ...other }, ...ladder.slice(1)])).toBe(false);
  });
});
