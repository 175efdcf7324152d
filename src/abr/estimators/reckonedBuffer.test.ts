import { describe, expect, it } from 'vitest';
import type { DownloadEvent } from '../rule.ts';
import { downloadOf } from '../testMoments.testing.ts';
import { aroundDownload, EMPTY_BUFFER, type BufferAround } from './reckonedBuffer.ts';

/** Segments of 4 s, one after the other: when requested, when there. */
function after(
  ...downloads: (readonly [startMs: number, lastByteMs: number, over?: Partial<DownloadEvent>])[]
) {
  let buffer = EMPTY_BUFFER;
  let around: BufferAround | null = null;
  downloads.forEach(([startMs, lastByteMs, over], segment) => {
    around = aroundDownload(buffer, downloadOf(1000, { segment, startMs, lastByteMs, ...over }), 4000);
    buffer = around.next;
  });
  return around as BufferAround | null;
}

describe('a reckoned buffer', () => {
  it.each([
    { name: 'the first segment fills it', downloads: [[0, 3000]], request: 0, before: 0, level: 4000 },
    {
      name: 'the second drains while it comes',
      downloads: [
        [0, 3000],
        [3000, 4000],
      ],
      request: 4000,
      before: 3000,
      level: 7000,
    },
    {
      name: 'a wait drains',
      downloads: [
        [0, 3000],
        [4500, 5500],
      ],
      request: 2500,
      before: 1500,
      level: 5500,
    },
    {
      name: 'a slow one empties it',
      downloads: [
        [0, 3000],
        [3000, 9000],
      ],
      request: 4000,
      before: 0,
      level: 4000,
    },
    {
      name: 'a wait longer than the buffer is a pause',
      downloads: [
        [0, 3000],
        [60_000, 61_000],
      ],
      request: 4000,
      before: 3000,
      level: 7000,
    },
    {
      name: 'downloads that overlap drain once',
      downloads: [
        [0, 3000],
        [0, 4000],
      ],
      request: 4000,
      before: 3000,
      level: 7000,
    },
    {
      name: 'an abandoned one drains only',
      downloads: [
        [0, 3000],
        [3000, 4000, { aborted: true }],
      ],
      request: 4000,
      before: 3000,
      level: 3000,
    },
    {
      name: 'a segment loaded again adds nothing',
      downloads: [
        [0, 3000],
        [3000, 4000, { segment: 0 }],
      ],
      request: 4000,
      before: 3000,
      level: 3000,
    },
    {
      name: 'one without a number adds',
      downloads: [
        [0, 3000],
        [3000, 4000, { segment: null }],
      ],
      request: 4000,
      before: 3000,
      level: 7000,
    },
  ] satisfies {
    name: string;
    downloads: (readonly [number, number, Partial<DownloadEvent>?])[];
    request: number;
    before: number;
    level: number;
  }[])('$name', ({ downloads, request, before, level }) => {
    const around = after(...downloads);
    expect([around?.atRequestMs, around?.beforeMs, around?.next.levelMs]).toEqual([request, before, level]);
  });

  it('tells the wait and whether a segment was replaced', () => {
    expect(after([0, 3000], [3500, 4000])).toMatchObject({ waitMs: 500, replaced: false });
    expect(after([0, 3000], [3000, 4000, { segment: 0 }])).toMatchObject({ waitMs: 0, replaced: true });
  });
});
