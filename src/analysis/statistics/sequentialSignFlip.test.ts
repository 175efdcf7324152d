import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { seededNormals } from './random.ts';
import { minCount, sequentialSignFlip, spendAlpha, type Look } from './sequentialSignFlip.ts';

/** What SciPy and a list of all patterns say; `golden/sequential_sign_flip.py` wrote it. */
const golden = JSON.parse(
  readFileSync(new URL('golden/sequential_sign_flip.json', import.meta.url), 'utf8'),
) as {
  readonly scipy: string;
  readonly single: readonly { name: string; values: readonly number[]; p: number }[];
  readonly several: readonly {
    name: string;
    values: readonly number[];
    counts: readonly number[];
    alpha: number;
    looks: readonly { p: number; isShown: boolean }[];
  }[];
  readonly brownian: readonly {
    shares: readonly number[];
    alpha: number;
    p: Readonly<Record<string, number>>;
  }[];
};

const looksAt = (counts: readonly number[]): Look[] =>
  counts.map((count) => ({ count, share: count / counts.at(-1)! }));

describe(`the witness, SciPy ${golden.scipy}`, () => {
  it.each(golden.single)('one look: $name', ({ values, p }) => {
    const [look] = sequentialSignFlip(values, looksAt([values.length]), { alpha: 0.05, seed: 1 });
    expect(look!.p).toBeCloseTo(p, 12);
  });

  it.each(golden.several)('several looks at alpha $alpha: $name', ({ values, counts, alpha, looks }) => {
    const found = sequentialSignFlip(values, looksAt(counts), { alpha, seed: 1 });
    expect(found.map(({ isShown }) => isShown)).toEqual(looks.map(({ isShown }) => isShown));
    for (const [index, { p }] of looks.entries()) expect(found[index]!.p).toBeCloseTo(p, 12);
  });

  it.each(golden.brownian)('many values, shares $shares, alpha $alpha: a Brownian motion', (each) => {
    const { shares, alpha, p: known } = each;
    const count = 300;
    const looks = shares.map((share) => ({ share, count: Math.round(share * count) }));
    for (const wanted of [0.6, 1.6]) {
      const values = seededNormals(11)(count).map((value) => value + wanted / Math.sqrt(count));
      const z = sum(values) / Math.sqrt(sum(values.map((value) => value ** 2)));
      const { p } = sequentialSignFlip(values, looks, { alpha, seed: 3, draws: 10_000 }).at(-1)!;
      const below = Math.floor(4 * z) / 4;
      // Three standard errors of a share of 10,000 draws.
      expect(p).toBeLessThan(pAt(known, below) + 0.015);
      expect(p).toBeGreaterThan(pAt(known, below + 0.25) - 0.015);
    }
  });
});

/** At a multiple of 0.25, as Python writes it. */
const pAt = (known: Readonly<Record<string, number>>, z: number): number =>
  known[Number.isInteger(z) ? z.toFixed(1) : String(z)]!;

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

test('no more than alpha of all patterns of signs are rejected, whatever the values', () => {
  const cases: readonly (readonly number[])[] = [
    seededNormals(1)(8),
    [8, 1, 1, 0, 0.1, 3, 3, 0.5],
    [1, 1, 1, 1, 1, 1, 1, 1],
  ];
  for (const values of cases)
    for (const alpha of [0.05, 0.2]) {
      const size = 2 ** values.length;
      let rejected = 0;
      for (let pattern = 0; pattern < size; pattern++) {
        const flipped = values.map((value, place) => ((pattern >> place) & 1 ? -value : value));
        const looks = sequentialSignFlip(flipped, looksAt([3, 5, 6, 8]), { alpha, seed: 1 });
        if (looks.at(-1)!.isShown) rejected += 1;
      }
      expect(rejected / size).toBeLessThanOrEqual(alpha);
      // It is no test that never rejects.
      expect(rejected / size).toBeGreaterThan(alpha / 4);
    }
});

test('more values than all patterns are taken of: drawn patterns keep the level', () => {
  const normals = seededNormals(7);
  let rejected = 0;
  const trials = 400;
  for (let trial = 0; trial < trials; trial++) {
    const looks = sequentialSignFlip(normals(20), looksAt([5, 10, 15, 20]), {
      alpha: 0.05,
      seed: trial + 1,
      draws: 1000,
    });
    if (looks.at(-1)!.isShown) rejected += 1;
  }
  // 20 are expected; 4.4 is their standard deviation.
  expect(rejected).toBeGreaterThan(8);
  expect(rejected).toBeLessThan(34);
});

test('a look that has more of alpha at the same values, when time is over', () => {
  const values = [1, 2, 1, 3, 2, 1, 2, 3];
  const looks = sequentialSignFlip(
    values,
    [
      { count: 8, share: 0.05 },
      { count: 8, share: 1 },
    ],
    { alpha: 0.05, seed: 1 },
  );
  // 2^−8 is 0.0039.
  expect(looks.map(({ level, isShown }) => [level.toFixed(5), isShown])).toEqual([
    ['0.00412', true],
    ['0.05000', true],
  ]);
  const late = sequentialSignFlip(
    values,
    [
      { count: 8, share: 0.04 },
      { count: 8, share: 1 },
    ],
    { alpha: 0.05, seed: 1 },
  );
  expect(late.map(({ isShown }) => isShown)).toEqual([false, true]);
});

test('no values, or none but zeros, show nothing', () => {
  const [look] = sequentialSignFlip([], [{ count: 0, share: 1 }], { alpha: 0.05, seed: 1 });
  expect(look).toMatchObject({ p: 1, isShown: false });
});

test('what may be spent, and how many values that needs', () => {
  expect(spendAlpha(0.05, 1)).toBeCloseTo(0.05, 12);
  expect(spendAlpha(0.05, 0.5)).toBeCloseTo(0.0310057, 6);
  expect([0.05, 1 / 32, 0.05 / 3, 0.0125, 0.5].map(minCount)).toEqual([5, 5, 6, 7, 1]);
});
