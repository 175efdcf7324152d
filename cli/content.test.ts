import { expect, it } from 'vitest';
import { makePadded } from './content.ts';
import type { PaddedOptions } from '../experiment/resolve/contents.ts';

const GOOD: PaddedOptions = { sizes: 'envivio', segment: 4, seconds: 8 };

it.each<[string, Partial<PaddedOptions>, RegExp]>([
  [
    'a table that is not there',
    { sizes: 'gone' },
    /^gone: There is no such file or folder\. Built in: envivio\.$/,
  ],
  [
    'a ladder that falls',
    { ladder: [300, 200] },
    /^--ladder: The bitrates must ascend, but 200 follows 300 kbit\/s\.$/,
  ],
  [
    'a rung below what its picture takes',
    { ladder: [2, 300] },
    /^The level of 2 kbit\/s has 1212 bytes for segment 0; its picture takes \d+ and a box to fill it up 8\.$/,
  ],
])('refuses %s', async (_, change, sentence) => {
  const lines: string[] = [];
  const made = makePadded({ ...GOOD, ...change }, (line) => lines.push(line));
  await expect(made).rejects.toThrow(sentence);
  expect(lines).toEqual([]);
});
