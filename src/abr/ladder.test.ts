import { describe, expect, it } from 'vitest';
import { highestRungWithin } from './ladder.ts';

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
