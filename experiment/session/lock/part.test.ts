import { describe, expect, test } from 'vitest';
import { mayOverlap, optionOf, partOf, SUFFIX, suffixOf, type Part } from './part.ts';

const PARTS: readonly Part[] = [
  undefined,
  '1/2',
  '2/2',
  '1/4',
  '2/12',
  'pair-1',
  'pair-2',
  'pair-21',
  'chunk-1',
  'chunk-2',
  'chunk-11',
];

/** What each part plays of 24 pairs, as `--shard` divides them. */
const pairsOf = (part: Part): number[] => {
  const all = Array.from({ length: 24 }, (_, index) => index + 1);
  if (part === undefined) return all;
  if (part.startsWith('pair-')) return [Number(part.slice('pair-'.length))];
  if (part.startsWith('chunk-')) {
    const place = Number(part.slice('chunk-'.length));
    return [2 * place - 1, 2 * place];
  }
  const [place, count] = part.split('/').map(Number) as [number, number];
  return all.slice(((place - 1) * all.length) / count, (place * all.length) / count);
};

describe.each(PARTS.map((part) => [part]))('part %s', (part) => {
  test('has a suffix of its own that is known as one', () => {
    expect(PARTS.filter((other) => suffixOf(other) === suffixOf(part))).toEqual([part]);
    expect(suffixOf(part)).toMatch(new RegExp(`^${SUFFIX.source}$`));
  });

  test('is apart from those with which it has no pair in common, as far as their names tell', () => {
    for (const other of PARTS) {
      const common = pairsOf(part).filter((pair) => pairsOf(other).includes(pair));
      if (common.length > 0) expect(mayOverlap(part, suffixOf(other)), String(other)).toBe(true);
      expect(mayOverlap(part, suffixOf(other))).toBe(mayOverlap(other, suffixOf(part)));
    }
  });
});

test.each([
  ['1/4', '-2-of-4'],
  ['pair-1', '-pair-12'],
  ['chunk-1', '-chunk-12'],
])('%s may run beside %s', (part, other) => expect(mayOverlap(part, other)).toBe(false));

test('is what the options ask for, and names them', () => {
  expect(partOf({})).toBeUndefined();
  expect(partOf({ shard: '1/4' })).toBe('1/4');
  expect(partOf({ pair: 7 })).toBe('pair-7');
  expect(partOf({ shard: undefined, chunk: 7 })).toBe('chunk-7');
  expect(optionOf('1/4')).toBe('--shard 1/4');
  expect(optionOf('pair-7')).toBe('--pair 7');
  expect(optionOf('chunk-7')).toBe('--chunk 7');
});
