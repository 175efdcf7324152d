import type { Representation } from 'dashjs';
import { describe, expect, it } from 'vitest';
import { isInFirstPeriod, namedSizesFile, segmentsOf, templateOf } from './dashStream.ts';

const manifest = {
  url: 'https://cdn.example/a/m.mpd',
  SupplementalProperty: [
    { schemeIdUri: 'urn:else', value: 'x' },
    { schemeIdUri: 'urn:pitwall:sizes:2026', value: 'sizes.json' },
  ],
  Period: [{ AdaptationSet: [{}, { Representation: [{}, { SegmentTemplate: { media: '$Number$.m4s' } }] }] }],
};
const representation = (period: object, index = 1): Representation =>
  ({
    index,
    startNumber: 5,
    segmentDuration: 4,
    adaptation: { index: 1, period: { index: 0, duration: 22, mpd: { manifest }, ...period } },
  }) as unknown as Representation;

describe('what dash.js’ objects tell about sizes', () => {
  it('the side file that the MPD names, beside the MPD', () => {
    expect(namedSizesFile(representation({}))).toBe('https://cdn.example/a/sizes.json');
    expect(namedSizesFile(representation({ mpd: { manifest: { url: manifest.url } } }))).toBeNull();
    const evil = {
      ...manifest,
      SupplementalProperty: [{ ...manifest.SupplementalProperty[1], value: 'file:///x' }],
    };
    expect(namedSizesFile(representation({ mpd: { manifest: evil } }))).toBeNull();
    expect(namedSizesFile({} as Representation)).toBeNull();
  });

  it('the template of its segments', () => {
    expect(templateOf(representation({}))).toEqual({ media: '$Number$.m4s', startNumber: 5 });
    expect(templateOf(representation({}, 0))).toBeNull();
    expect(templateOf({} as Representation)).toBeNull();
  });

  it('the period and how many segments it has', () => {
    expect([isInFirstPeriod(representation({})), isInFirstPeriod(representation({ index: 1 }))]).toEqual([
      true,
      false,
    ]);
    expect(segmentsOf(representation({}))).toBe(6);
    expect(segmentsOf(representation({ duration: 24.000_000_1 }))).toBe(6);
    expect(segmentsOf(representation({ duration: Infinity }))).toBe(Infinity);
    expect(segmentsOf(representation({ duration: undefined }))).toBe(Infinity);
  });
});
