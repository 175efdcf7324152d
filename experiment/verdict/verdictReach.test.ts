import { expect, test } from 'vitest';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { startingFile } from '../plan/startingFile.ts';
import { verdictReach } from './verdictReach.ts';

const reach = (changes: Partial<CampaignFile>) => verdictReach({ ...startingFile, ...changes });
const rules = (count: number) => Array.from({ length: count }, (_, index) => `rule-${index}`);

test.each([
  [1, 6, 8],
  [2, 12, 9],
  [3, 18, 10],
  [5, 30, 11],
])('four transports under %i rules: %i comparisons, %i pairs', (count, comparisons, pairs) => {
  const few = reach({ rules: rules(count), seeds: [1], repeats: pairs - 1 });
  expect(few).toMatchObject({ comparisons, pairs: pairs - 1, pairsNeeded: pairs, isWithinReach: false });
  expect(reach({ rules: rules(count), seeds: [1], repeats: pairs })).toMatchObject({
    pairsNeeded: pairs,
    isWithinReach: true,
  });
});

test('networks add pairs to one verdict, or comparisons to one each', () => {
  const profiles = ['dvl', 'dl', 'dh'];
  expect(reach({ profiles, repeats: 2 })).toMatchObject({ comparisons: 6, pairs: 12 });
  expect(reach({ profiles, repeats: 2, per: 'network' })).toMatchObject({ comparisons: 18, pairs: 4 });
});

test('a control makes the family smaller', () =>
  expect(reach({ control: 'h2' })).toMatchObject({ comparisons: 3 }));

test('rules over each transport', () =>
  expect(reach({ compare: 'rules', rules: rules(3), transports: ['h2', 'h1'] })).toMatchObject({
    comparisons: 6,
  }));

test('the starting file is within reach', () =>
  expect(reach({})).toEqual({
    comparisons: 6,
    pairs: 12,
    pairsNeeded: 8,
    smallestP: 6 / 2 ** 11,
    isWithinReach: true,
  }));
