import { expect, it } from 'vitest';
import { seededRandom } from '../../src/analysis/statistics/random.ts';
import { numberIds, numberPairs } from './numberIds.ts';

it('ids have the number of their first occurrence, whether they are hashes or not', () => {
  const random = seededRandom(1);
  const hashes = Array.from({ length: 5000 }, () =>
    Array.from({ length: 24 }, () => Math.floor(16 * random()).toString(16)).join(''),
  );
  // Hashes that differ in one word only, as no hashes do; and what looks like one.
  const alike = ['0', '8', 'f'].flatMap((digit) =>
    [0, 8, 16].map((at) => `${'0'.repeat(at)}${digit.repeat(8)}${'0'.repeat(16 - at)}`),
  );
  const others = ['', 's1', 'g'.repeat(24), 'A'.repeat(24), 'ā'.repeat(24), 'š'.repeat(24)];
  const ids = [...hashes, ...alike, ...others].flatMap((id, index, all) => [id, all[index >> 1]!]);
  const known = new Map<string, number>();
  const numbers = numberIds();
  for (const id of ids) {
    if (!known.has(id)) known.set(id, known.size);
    expect(numbers.numberOf(id)).toBe(known.get(id));
  }
  expect(numbers.count()).toBe(known.size);
});

it('pairs have the number of their first occurrence', () => {
  const random = seededRandom(2);
  const [ones, others] = [0, 1].map(() => Int32Array.from({ length: 3000 }, () => 50 * random())) as [
    Int32Array,
    Int32Array,
  ];
  const known = new Map<string, number>();
  const expected = ones.map((one, row) => {
    const pair = `${one} ${others[row]!}`;
    if (!known.has(pair)) known.set(pair, known.size);
    return known.get(pair)!;
  });
  expect(numberPairs(ones, others)).toEqual(expected);
});
