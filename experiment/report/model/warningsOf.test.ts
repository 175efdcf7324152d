import { expect, test } from 'vitest';
import { warningsOf } from './warningsOf.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';

const ofNetworks = (changes: Partial<CampaignFile>): string[] =>
  warningsOf(exampleSource({ profiles: ['a-1000', 'b-2000'], repeats: 5, ...changes })).filter((text) =>
    text.includes('networks together'),
  );

test('repeats on a few networks that are judged together say what they are about', () => {
  expect(ofNetworks({ per: 'campaign' })).toEqual([
    expect.stringMatching(/^The verdicts are about these 2 networks together, with 5 pairs on each/),
  ]);
  expect(ofNetworks({ per: 'campaign', repeats: 1 })).toEqual([]);
  expect(ofNetworks({ per: 'campaign', profiles: ['a-1000'] })).toEqual([]);
  expect(ofNetworks({ per: 'network' })).toEqual([]);
});

const cautions = (changes: Partial<CampaignFile>): string[] =>
  warningsOf(exampleSource({ profiles: ['a-1000'], repeats: 10, ...changes })).filter((text) =>
    text.includes('but '),
  );

test('repeats on one network are called repeats, also where each network has a verdict', () => {
  const sentence = /^10 pairs, but 1 network: .* the verdict can only be about repeats of it\./;
  expect(cautions({})).toEqual([expect.stringMatching(sentence)]);
  // A drawn phase changes nothing on a network that stays as it is.
  expect(cautions({ phase: 'drawn' })).toEqual([expect.stringMatching(sentence)]);
  expect(cautions({ per: 'network', profiles: ['a-1000', 'b-2000'] })).toEqual([
    expect.stringMatching(/^10 pairs in each comparison, but 1 network: .* repeats of it\./),
  ]);
  expect(cautions({ repeats: 1 })).toEqual([]);
  expect(cautions({ profiles: [] })).toEqual([]);
});

test('networks that are the unit need no such sentence', () =>
  expect(cautions({ infer: 'network', profiles: ['a-1000', 'b-2000'] })).toEqual([]));

test('traces of one household that count as several networks are named', () => {
  const profiles = [
    'trace-17-http-www-ebay-com-0',
    'trace-17-http-www-ebay-com-320',
    'trace-18-http-www-msn-com-0',
  ];
  expect(cautions({ repeats: 1, profiles })).toEqual([
    '3 pairs, but 2 networks: traces of one household share its line and are not independent. With "infer": "network" they count as one.',
  ]);
});
