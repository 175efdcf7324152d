import { describe, expect, it } from 'vitest';
import { byBitrate, firstKnownLength, ladderOf, rungIn, sameLadder, segmentMsOf } from './dashTerms.ts';

const choice = (id: string, bandwidth: number, width = 0) => ({
  id,
  bandwidth,
  width,
  height: NaN,
  fragmentDuration: NaN,
  segmentDuration: 4,
});

describe('dash.js’ representations as a ladder', () => {
  const choices = byBitrate([choice('c', 3_000_000, 1280), choice('a', 300_000), choice('b', 750_500)]);

  it('ascends by bitrate, in kbit/s, with unknown sizes as null', () => {
    expect(choices.map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(ladderOf(choices)).toEqual([
      { bitrateKbps: 300, width: null, height: null },
      { bitrateKbps: 750.5, width: null, height: null },
      { bitrateKbps: 3000, width: 1280, height: null },
    ]);
    expect(segmentMsOf(choices)).toBe(4000);
    expect(segmentMsOf([{ ...choice('x', 1), segmentDuration: NaN }])).toBeNull();
    expect(rungIn(choices, 'b')).toBe(1);
    expect(rungIn(choices, 'gone')).toBeNull();
  });

  it('is compared by what a rule sees of it', () => {
    expect(sameLadder(ladderOf(choices), ladderOf([...choices]))).toBe(true);
    expect(sameLadder(ladderOf(choices), ladderOf(choices.slice(1)))).toBe(false);
  });
});

describe('the length of a segment that a rule is told', () => {
  it('is the first that is known in a period, also where the first entry of the timeline changes', () => {
    const [one, next] = [{}, {}];
    expect([null, 1000, 3000, null, 1000].map((nowMs) => firstKnownLength(one, nowMs))).toEqual([
      null,
      ...[1000, 1000, 1000, 1000],
    ]);
    expect(firstKnownLength(next, 3000)).toBe(3000);
  });
});
