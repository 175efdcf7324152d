import { describe, expect, it } from 'vitest';
import { contentFromSabreMovie } from './sabreMovie.ts';

const movie = (sizes: string, bitrates = '[230, 331]'): string =>
  `{"segment_duration_ms": 3000, "bitrates_kbps": ${bitrates},\n "segment_sizes_bits": ${sizes}}`;
const errorOf = (text: string): string => {
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
    [movie('[[8, 16], [24]]'), 'm, line 2, column 34: Segment 1 has 1 sizes for 2 rungs.'],
    [movie('[[8, "x"]]'), 'm, line 2, column 29: segment_sizes_bits of segment 0 is to hold numbers only.'],
    [
      movie('[[8, 0]]'),
      'm: The rung of 331 kbit/s has a size of 0 bytes for segment 0; it must be a whole number above 0.',
    ],
    [movie('7'), 'm, line 2, column 24: segment_sizes_bits is to be a list.'],
    [movie('[[8, 16]]', '[331, 230]'), 'm: The ladder must rise, but 230 follows 331 kbit/s.'],
    ['{"segment_duration_ms": 3000}', 'm: bitrates_kbps is to be a list.'],
    ['{"bitrates_kbps": []}', 'm, line 1, column 1: The field segment_duration_ms is missing.'],
  ])('is refused: %j', (text, sentence) => expect(errorOf(text)).toBe(sentence));
});
