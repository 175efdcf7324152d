import { describe, expect, test } from 'vitest';
import { boxAlong, boxesIn, segmentIndex, shiftedSegment, vp9Codec } from './boxes.ts';

/** A box around content. */
function box(type: string, ...content: Buffer[]): Buffer {
  const body = Buffer.concat(content);
  const head = Buffer.alloc(8);
  head.writeUInt32BE(body.length + 8);
  head.write(type, 4, 'latin1');
  return Buffer.concat([head, body]);
}

const u32 = (...values: number[]): Buffer => {
  const bytes = Buffer.alloc(4 * values.length);
  values.forEach((value, index) => bytes.writeUInt32BE(value, 4 * index));
  return bytes;
};

describe('boxesIn', () => {
  test('lists boxes side by side, also one with a 64-bit size', () => {
    const long = Buffer.concat([u32(1), Buffer.from('mdat'), u32(0, 20), Buffer.from('data')]);
    const bytes = Buffer.concat([box('ftyp', Buffer.from('abcd')), long]);
    expect(boxesIn(bytes)).toEqual([
      { type: 'ftyp', offset: 0, sizeBytes: 12, contentOffset: 8 },
      { type: 'mdat', offset: 12, sizeBytes: 20, contentOffset: 28 },
    ]);
  });

  for (const [what, bytes] of [
    ['a size beyond the end', u32(100, 0, 0)],
    ['a size smaller than its own header', u32(4, 0)],
    ['half a header', Buffer.from([0, 0, 0])],
    ['a size of zero', u32(0, 0)],
  ] as const) {
    test(`refuses ${what}, naming the byte`, () => {
      expect(() => boxesIn(bytes)).toThrow('Box at byte 0 claims');
    });
  }

  test('follows a path, and has nothing where it ends', () => {
    const bytes = box('moof', box('mfhd'), box('traf', box('tfdt', u32(7))));
    expect(boxAlong(bytes, ['moof', 'traf', 'tfdt'])?.contentOffset).toBe(32);
    expect(boxAlong(bytes, ['moof', 'trun'])).toBeNull();
  });
});

describe('segmentIndex', () => {
  const entries = u32(100, 4000, 0x90000000, 50, 2000, 0x90000000);
  const expected = {
    timescale: 1000,
    segments: [
      { startTicks: 500, durationTicks: 4000, sizeBytes: 100 },
      { startTicks: 4500, durationTicks: 2000, sizeBytes: 50 },
    ],
  };

  test('reads version 0, with absolute offsets behind the gap', () => {
    const sidx = box('sidx', u32(0, 1, 1000, 500, 10, 2), entries);
    const bytes = Buffer.concat([box('ftyp'), sidx]);
    const index = segmentIndex(bytes, boxesIn(bytes)[1]!);
    expect(index).toMatchObject(expected);
    expect(index.segments.map(({ offset }) => offset)).toEqual([bytes.length + 10, bytes.length + 110]);
  });

  test('reads version 1, with 64-bit times', () => {
    const bytes = box('sidx', u32(0x01000000, 1, 1000, 0, 500, 0, 10, 2), entries);
    expect(segmentIndex(bytes, boxesIn(bytes)[0]!)).toMatchObject(expected);
  });

  test('refuses a reference to another index', () => {
    const bytes = box('sidx', u32(0, 1, 1000, 500, 10, 1), u32(0x80000064, 4000, 0));
    expect(() => segmentIndex(bytes, boxesIn(bytes)[0]!)).toThrow('Reference 0 is to another index.');
  });
});

test('vp9Codec reads profile, level and depth, and says when a track is none', () => {
  const bytes = box('moov', box('vpcC', Buffer.from([1, 0, 0, 0, 0, 31, 0x82])));
  expect(vp9Codec(bytes)).toBe('vp09.00.31.08');
  expect(() => vp9Codec(box('moov'))).toThrow('not VP9');
});

describe('shiftedSegment', () => {
  const segment = (time: number): Buffer =>
    box('moof', box('traf', box('tfdt', u32(0x01000000, 0, time))), box('free'));

  test('moves every fragment of a segment in a copy, also beyond 32 bits', () => {
    const original = Buffer.concat([segment(5), segment(6)]);
    const before = Buffer.from(original);
    const moved = shiftedSegment(original, 2 ** 33);
    expect(original).toEqual(before);
    const [first, second] = boxesIn(moved);
    for (const [moof, time] of [
      [first!, 5],
      [second!, 6],
    ] as const) {
      const at = moof.offset + 8 + 8 + 8 + 4;
      expect(moved.readBigUInt64BE(at)).toBe(BigInt(time) + 2n ** 33n);
    }
  });

  test('says what is missing', () => {
    expect(() => shiftedSegment(box('mdat'), 1)).toThrow('no moof');
  });
});
