import { describe, expect, it } from 'vitest';
import { readSizesFile } from './sizesFile.ts';

const VIDEO = { id: 'v1', mediaType: 'video', bitrateKbps: 300, sizesBytes: [1000, null, 900] };
const FILE = { schema: 'pitwall-sizes/1', segmentMs: 4000, representations: [VIDEO] };
const errorOf = (value: unknown): string => {
  const read = readSizesFile(typeof value === 'string' ? value : JSON.stringify(value));
  return read.ok ? 'no error' : read.error;
};
const withVideo = (change: object) => ({ ...FILE, representations: [VIDEO, { ...VIDEO, ...change }] });

describe('a side file of sizes', () => {
  it('is read', () => {
    const read = readSizesFile(JSON.stringify(FILE));
    expect(read.ok && read.value).toEqual({ segmentMs: 4000, representations: [VIDEO] });
  });

  it.each<[unknown, string | RegExp]>([
    ['<html>', /^It is not JSON: .*\.$/],
    ['[]', 'It holds no object.'],
    [{ ...FILE, schema: 'other/1' }, 'Its schema is "other/1", not "pitwall-sizes/1".'],
    [{ ...FILE, schema: undefined }, 'Its schema is missing, not "pitwall-sizes/1".'],
    [{ ...FILE, segmentMs: 0 }, 'segmentMs is 0, not a number above 0.'],
    [{ ...FILE, representations: [] }, 'representations is no list, or an empty one.'],
    [{ ...FILE, representations: [7] }, 'representations[0] is no object.'],
    [withVideo({ id: 7 }), 'representations[1].id is 7, not a text.'],
    [withVideo({ mediaType: 'text' }), 'representations[1].mediaType is "text", not "video" or "audio".'],
    [withVideo({ bitrateKbps: -1 }), 'representations[1].bitrateKbps is -1, not a number above 0.'],
    [withVideo({ sizesBytes: 5 }), 'representations[1].sizesBytes is no list.'],
    [
      withVideo({ sizesBytes: [5, 0.5] }),
      'representations[1].sizesBytes[1] is 0.5, not a whole number of bytes above 0.',
    ],
    [
      withVideo({ sizesBytes: [0] }),
      'representations[1].sizesBytes[0] is 0, not a whole number of bytes above 0.',
    ],
    [
      withVideo({ sizesBytes: new Array(100_001).fill(1) }),
      'representations[1].sizesBytes has 100001 entries; at most 100000 are read.',
    ],
  ])('is refused with the place: %#', (value, sentence) => {
    if (typeof sentence === 'string') expect(errorOf(value)).toBe(sentence);
    else expect(errorOf(value)).toMatch(sentence);
  });
});
