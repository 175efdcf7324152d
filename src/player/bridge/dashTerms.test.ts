import { describe, expect, it } from 'vitest';
import { byBitrate, ladderOf, rungIn, sameLadder, segmentMsOf } from './dashTerms.ts';

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
