import { expect, test } from 'vitest';
import type { CampaignFile } from '../design/campaignFile.ts';
import { startingFile } from '../design/startingFile.ts';
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
    unit: 'pair',
    units: 12,
    pairsNeeded: 8,
    smallestP: 6 / 2 ** 11,
    isWithinReach: true,
  }));

test('where networks are the unit, repeats, seeds and contents add none', () => {
  const profiles = ['dvl', 'dl', 'dh', 'wifi', 'lte', '3g', 'constant-3mbps', 'constant-5mbps'];
  expect(reach({ infer: 'network', profiles, repeats: 3 })).toMatchObject({
    unit: 'network',
    units: 8,
    pairs: 48,
    pairsNeeded: 8,
    isWithinReach: true,
  });
  expect(reach({ infer: 'network', profiles: profiles.slice(1), repeats: 30 })).toMatchObject({
    units: 7,
    pairs: 420,
    smallestP: 6 / 2 ** 6,
    isWithinReach: false,
  });
});

test('drawn networks count each, and the traces of one household once', () => {
  const drawn = { profile: 'udp-limiter', limitKbps: [64, 1000], count: 9 };
  expect(reach({ infer: 'network', profiles: ['dvl', drawn] })).toMatchObject({ units: 10, pairs: 120 });
  const traces = [
    '060_test_fcc_trace_215364_http---www.ebay.com_1140_0',
    'trace_215364_http---www.ebay.com_0',
  ];
  const profiles = ['dvl', ...traces.map((name) => `trace:../traces/${name}`)];
  expect(reach({ infer: 'network', profiles })).toMatchObject({ units: 2 });
});
