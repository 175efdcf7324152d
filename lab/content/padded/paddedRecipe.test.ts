import { describe, expect, it } from 'vitest';
import { envivio } from '../../../src/sim/envivio.ts';
import { boxesIn } from '../boxes.ts';
import { freeBox } from './writeSegments.ts';
import { meanKbps, paddedRecipe } from './paddedRecipe.ts';

const { sizesBytes, ladder } = envivio.video;

describe('paddedRecipe', () => {
  it('has the sizes of the table as they are, and again from the first after the last that is played', () => {
    const { video, title } = paddedRecipe(envivio, { segmentSeconds: 4, seconds: 600 });
    expect(title).toBe('envivio, padded');
    expect(video.map(({ bitrateKbps }) => bitrateKbps)).toEqual(ladder.map(({ bitrateKbps }) => bitrateKbps));
    video.forEach((rung, index) => {
      const played = sizesBytes[index]!.slice(0, 48);
      expect(rung.sizesBytes).toEqual([...played, ...played, ...played, ...played.slice(0, 6)]);
    });
  });

  it('keeps bitrate and variation when segments are shorter', () => {
    const recipe = paddedRecipe(envivio, { segmentSeconds: 2, seconds: 600 });
    expect(recipe.video[0]!.sizesBytes).toHaveLength(300);
    expect(recipe.video[5]!.sizesBytes.slice(0, 2)).toEqual([2354772 / 2, Math.round(2123065 / 2)]);
    for (const rung of recipe.video) expect(meanKbps(recipe, rung) / rung.bitrateKbps).toBeCloseTo(1, 1);
  });

  it('gives another ladder the variation of the nearest rung, at its own bitrate', () => {
    const ladderKbps = [80, 150, 300, 600, 1200];
    const recipe = paddedRecipe(envivio, { segmentSeconds: 4, seconds: 192, ladderKbps, audioKbps: 32 });
    expect(recipe.video[0]!.sizesBytes[0]).toBe(Math.round((181801 * 80) / 300));
    expect(recipe.video[3]!.sizesBytes[1]).toBe(Math.round((398865 * 600) / 750));
    expect(recipe.video[4]!.sizesBytes).toEqual(sizesBytes[2]!.slice(0, 48));
    expect(recipe.audioKbps).toBe(32);
    for (const rung of recipe.video) {
      const ratio = meanKbps(recipe, rung) / rung.bitrateKbps;
      expect(Math.abs(ratio - 1)).toBeLessThan(0.03);
    }
  });

  it('is at least as long as asked, and tells nothing of where a table lay', () => {
    const recipe = paddedRecipe({ ...envivio, name: '/home/me/sizes/' }, { segmentSeconds: 4, seconds: 599 });
    expect([recipe.title, recipe.video[0]!.sizesBytes.length]).toEqual(['sizes, padded', 150]);
  });
});

describe('freeBox', () => {
  it('is a box that a reader skips', () => {
    const box = Buffer.concat([freeBox(20)!, Buffer.alloc(12)]);
    expect(boxesIn(box)).toEqual([{ type: 'free', offset: 0, sizeBytes: 20, contentOffset: 8 }]);
    expect(freeBox(0)).toBeNull();
    expect(() => freeBox(7)).toThrow('A box of 7 bytes cannot be.');
  });
});
