import { describe, expect, test } from 'vitest';
import { tidyManifest } from './tidyManifest.ts';

const trick = [{ schemeIdUri: 'http://dashif.org/guidelines/trickmode', value: '1' }];
const main = [{ schemeIdUri: 'urn:mpeg:dash:role:2011', value: 'main' }];
const set = (id: string, more: object = {}) => ({
  id,
  Representation: [{ id: `${id}-r`, mimeType: `${id.slice(0, 5)}/mp4` }],
  ...more,
});

function setsOf(sets: readonly ReturnType<typeof set>[]): string[] {
  const manifest = { Period: [{ AdaptationSet: sets }] };
  tidyManifest(manifest);
  return manifest.Period[0]!.AdaptationSet.map(({ id }) => id);
}

describe('sets for trick play', () => {
  test.each(['SupplementalProperty', 'EssentialProperty'])('are not played: %s', (tag) =>
    expect(
      setsOf([
        set('video-fast', { [tag]: trick }),
        set('video', { SupplementalProperty: main }),
        set('audio'),
      ]),
    ).toEqual(['video', 'audio']),
  );

  test('are, where the stream has nothing else of their kind', () =>
    expect(setsOf([set('video-fast', { SupplementalProperty: trick }), set('audio')])).toEqual([
      'video-fast',
      'audio',
    ]));

  test('of a manifest without periods or representations are none', () => {
    expect(() => tidyManifest({})).not.toThrow();
    expect(() => tidyManifest({ Period: [{}, { AdaptationSet: [{}] }] })).not.toThrow();
  });
});

describe('the timeline of a SegmentList', () => {
  /** As dash.js then sees it, of a list with so many addresses, and whether a second look changes it. */
  function entries(S: readonly object[], count: number) {
    const SegmentList = {
      SegmentURL: Array.from({ length: count }, (_, index) => ({ media: `${index + 1}.m4s` })),
      SegmentTimeline: { S: S as never },
    };
    // The parser gives a list of the set to each of its representations.
    const AdaptationSet = [{ Representation: [{ SegmentList }, { SegmentList }] }];
    tidyManifest({ Period: [{ AdaptationSet }] });
    return SegmentList.SegmentTimeline.S as unknown;
  }

  test('has one entry for each address', () => {
    expect(entries([{ t: 0, d: 2000, r: 2 }], 3)).toEqual([{ t: 0, d: 2000 }, { d: 2000 }, { d: 2000 }]);
    expect(entries([{ t: 5, d: 2, r: 1 }, { d: 3 }], 3)).toEqual([{ t: 5, d: 2 }, { d: 2 }, { d: 3 }]);
  });

  test('goes on to the last address where it says so', () =>
    expect(
      entries(
        [
          { t: 0, d: 1 },
          { d: 2, r: -1 },
        ],
        3,
      ),
    ).toEqual([{ t: 0, d: 1 }, { d: 2 }, { d: 2 }]));

  test('has no entry without an address, however many it promises', () =>
    expect(entries([{ t: 0, d: 1, r: 1e9 }], 2)).toEqual([{ t: 0, d: 1 }, { d: 1 }]));

  test('of a template stays as it is', () => {
    const SegmentTemplate = { SegmentTimeline: { S: [{ t: 0, d: 1, r: 9 }] } };
    const Representation = [{ SegmentTemplate }, { SegmentList: { SegmentURL: [{}, {}] } }];
    const manifest = { Period: [{ AdaptationSet: [{ Representation }] }] };
    const before = structuredClone(manifest);
    tidyManifest(manifest);
    expect(manifest).toEqual(before);
  });
});
