import { describe, expect, it } from 'vitest';
import { envivio } from './envivio.ts';
import { contentFromSabreMovie, contentFromSizeFiles } from './videoFiles.ts';

const filesOf = (rows: readonly (readonly (number | string)[])[]) =>
  rows.map((row, rung) => ({ name: `video_size_${rung}`, text: `${row.join('\n')}\n` }));

const errorOf = (...args: Parameters<typeof contentFromSizeFiles>): string => {
  const content = contentFromSizeFiles(...args);
  return content.ok ? 'no error' : content.error;
};

describe('size files', () => {
  it('are Envivio again from its own sizes, in whatever order the files come, with LF or CRLF', () => {
    const files = filesOf(envivio.video.sizesBytes).map((file) => ({
      ...file,
      text: file.text.replaceAll('\n', '\r\n'),
    }));
    const content = contentFromSizeFiles(files.toReversed(), { name: 'v' });
    if (!content.ok) throw new Error(content.error);
    const ladder = envivio.video.ladder.map(({ bitrateKbps }) => ({
      bitrateKbps,
      width: null,
      height: null,
    }));
    expect(content.value.video).toEqual({ ...envivio.video, ladder });
  });

  it('play every segment on a ladder of their own', () => {
    const content = contentFromSizeFiles(
      filesOf([
        [1, 2, 3],
        [4, 5, 6],
      ]),
      {
        name: 'v',
        bitratesKbps: [100, 200],
        segmentMs: 2000,
      },
    );
    expect(content.ok && [content.value.video.segments, content.value.video.segmentMs]).toEqual([3, 2000]);
  });

  it.each<[Parameters<typeof contentFromSizeFiles>, string]>([
    [
      [filesOf([[1], [2]]), { name: 'v' }],
      'v: It has 2 levels; only of 6 the bitrates are known. Give the ladder.',
    ],
    [
      [filesOf([[1], [2]]).slice(1), { name: 'v', bitratesKbps: [1, 2] }],
      'v: The file video_size_0 is missing.',
    ],
    [[filesOf([[1]]), { name: 'v', bitratesKbps: [100, 200] }], 'v: The level of 200 kbit/s has no sizes.'],
    [
      [filesOf([[1, 'x']]), { name: 'v', bitratesKbps: [1] }],
      'v/video_size_0, line 2, column 1: The size in bytes is "x", which is not a number.',
    ],
    [
      [filesOf([[1, '2 3']]), { name: 'v', bitratesKbps: [1] }],
      'v/video_size_0, line 2, column 3: There is more than a size: "3".',
    ],
    [
      [filesOf([[1, 0]]), { name: 'v', bitratesKbps: [5] }],
      'v: The level of 5 kbit/s has a size of 0 bytes for segment 1; it must be a whole number above 0.',
    ],
  ])('refuse %#', (args, sentence) => expect(errorOf(...args)).toBe(sentence));
});

const movie = (sizes: string, bitrates = '[230, 331]'): string =>
  `{"segment_duration_ms": 3000, "bitrates_kbps": ${bitrates},\n "segment_sizes_bits": ${sizes}}`;
const movieErrorOf = (text: string): string => {
  const content = contentFromSabreMovie(text, 'm');
  return content.ok ? 'no error' : content.error;
};

describe('a movie of Sabre', () => {
  it('has its sizes by segment and in bits', () => {
    const content = contentFromSabreMovie(movie('[[8, 16], [24, 33], [80, 160]]'), 'm');
    if (!content.ok) throw new Error(content.error);
    expect(content.value.video).toMatchObject({
      segmentMs: 3000,
      segments: 3,
      sizesBytes: [
        [1, 3, 10],
        [2, 5, 20],
      ],
    });
    expect(content.value.video.ladder.map(({ bitrateKbps }) => bitrateKbps)).toEqual([230, 331]);
  });

  it.each([
    [movie('[[8, 16], [24]]'), 'm, line 2, column 34: Segment 1 has 1 sizes for 2 levels.'],
    [movie('[[8, "x"]]'), 'm, line 2, column 29: segment_sizes_bits of segment 0 must hold numbers only.'],
    [
      movie('[[8, 0]]'),
      'm: The level of 331 kbit/s has a size of 0 bytes for segment 0; it must be a whole number above 0.',
    ],
    [movie('7'), 'm, line 2, column 24: segment_sizes_bits must be a list.'],
    [movie('[[8, 16]]', '[331, 230]'), 'm: The ladder must rise, but 230 follows 331 kbit/s.'],
    ['{"segment_duration_ms": 3000}', 'm: bitrates_kbps must be a list.'],
    ['{"bitrates_kbps": []}', 'm, line 1, column 1: The field segment_duration_ms is missing.'],
  ])('is refused: %j', (text, sentence) => expect(movieErrorOf(text)).toBe(sentence));
});
