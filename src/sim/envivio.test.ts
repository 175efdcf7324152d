import { describe, expect, it } from 'vitest';
import { envivio } from './envivio.ts';

const { ladder, sizesBytes, segments, segmentMs } = envivio.video;

describe('Envivio', () => {
  it('has six rungs of 49 segments, of which 48 are played', () => {
    expect(ladder.map(({ bitrateKbps }) => bitrateKbps)).toEqual([300, 750, 1200, 1850, 2850, 4300]);
    expect(sizesBytes.map((row) => row.length)).toEqual([49, 49, 49, 49, 49, 49]);
    expect(segments).toBe(48);
  });

  it('has sizes of whole bytes that grow with the rung', () => {
    for (let segment = 0; segment < 49; segment++) {
      const sizes = sizesBytes.map((row) => row[segment]!);
      expect(sizes.every(Number.isInteger)).toBe(true);
      expect(sizes).toEqual(sizes.toSorted((a, b) => a - b));
    }
  });

  it('keeps to the bitrates of its ladder within 2 %', () => {
    sizesBytes.forEach((row, rung) => {
      const bytes = row.slice(0, segments).reduce((sum, size) => sum + size, 0);
      const meanKbps = (bytes * 8) / (segments * segmentMs);
      expect(Math.abs(meanKbps / ladder[rung]!.bitrateKbps - 1)).toBeLessThan(0.02);
    });
  });
});
