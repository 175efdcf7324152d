import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { chiSquareTail, sharesTest, type GroupCounts } from './countTests.ts';
import { expectNear } from './golden.testing.ts';

interface Table {
  readonly call: string;
  readonly table: readonly (readonly [number, number])[];
  readonly p: number;
}

/** What SciPy says; `golden/count_tests.py` wrote it, each value with its call. */
const golden = JSON.parse(readFileSync(new URL('golden/count_tests.json', import.meta.url), 'utf8')) as {
  readonly exact: readonly Table[];
  readonly chiSquare: readonly Table[];
  readonly tails: readonly { call: string; x: number; degrees: number; p: number }[];
};
const groupsOf = ({ table }: Table): GroupCounts[] => table.map(([hits, others]) => ({ hits, others }));

describe('shares of groups', () => {
  it.each(golden.exact)('exact: $call', (each) => {
    const found = sharesTest(groupsOf(each))!;
    expect(found.method).toBe('exact');
    expectNear(found.p, each.p);
    expectNear(sharesTest(groupsOf(each).reverse())!.p, each.p);
  });

  it.each(golden.chiSquare)('of very many: $call', (each) => {
    const found = sharesTest(groupsOf(each))!;
    expect(found.method).toBe('chi-square');
    expectNear(found.p, each.p);
  });

  it.each<[string, GroupCounts[]]>([
    ['no group', []],
    [
      'one group, and an empty one',
      [
        { hits: 3, others: 4 },
        { hits: 0, others: 0 },
      ],
    ],
    [
      'no hit',
      [
        { hits: 0, others: 4 },
        { hits: 0, others: 9 },
      ],
    ],
    [
      'hits only',
      [
        { hits: 3, others: 0 },
        { hits: 1, others: 0 },
      ],
    ],
  ])('%s: nothing can differ', (_, groups) => expect(sharesTest(groups)).toBeNull());
});

it.each(golden.tails)('$call', ({ x, degrees, p }) => expectNear(chiSquareTail(x, degrees), p));
