import { expect, test } from 'vitest';
import { warningsOf } from './warningsOf.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import type { CampaignFile } from '../../../experiment/plan/campaignFile.ts';

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
