import { describe, expect, it } from 'vitest';
import { contentOf, type VideoTable } from './content.ts';

const rungs = (...bitratesKbps: number[]) =>
  bitratesKbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));
const good: VideoTable = {
  name: 'v',
  ladder: rungs(300, 750),
  segmentMs: 4000,
  sizesBytes: [
    [1, 2],
    [3, 4],
  ],
};
const errorOf = (change: Partial<VideoTable>): string => {
  const content = contentOf({ ...good, ...change });
  return content.ok ? 'no error' : content.error;
};

describe('contentOf', () => {
  it('plays every segment by default', () => {
    const content = contentOf(good);
    expect(content.ok && content.value).toEqual({
      name: 'v',
      video: {
        ladder: good.ladder,
        segmentMs: 4000,
        sizesBytes: good.sizesBytes,
        segments: 2,
        initBytes: null,
      },
      audio: null,
    });
  });

  it.each<[Partial<VideoTable>, string]>([
    [{ sizesBytes: [[1, 2]] }, 'v: The level of 750 kbit/s has no sizes.'],
    [
      { sizesBytes: [[1, 2], [3]] },
      'v: The level of 750 kbit/s has no size for segment 1; another level has 2 segments.',
    ],
    [
      {
        sizesBytes: [
          [1, 2],
          [3, 0],
        ],
      },
      'v: The level of 750 kbit/s has a size of 0 bytes for segment 1; it must be a whole number above 0.',
    ],
    [
      {
        sizesBytes: [
          [1.5, 2],
          [3, 4],
        ],
      },
      'v: The level of 300 kbit/s has a size of 1.5 bytes for segment 0; it must be a whole number above 0.',
    ],
    [{ sizesBytes: [[1], [2], [3]] }, 'v: There are sizes for 3 levels, but the ladder has 2.'],
    [{ sizesBytes: [[], []] }, 'v: There is no segment.'],
    [{ ladder: rungs(750, 300) }, 'v: The ladder must rise, but 300 follows 750 kbit/s.'],
    [{ ladder: rungs(0, 300) }, 'v: A level of 0 kbit/s cannot be.'],
    [{ ladder: [] }, 'v: The video has no level.'],
    [{ segmentMs: 0 }, 'v: A segment of 0 ms cannot be.'],
  ])('refuses %j', (change, sentence) => expect(errorOf(change)).toBe(sentence));
});
