import { expect, test } from 'vitest';
import { formatDryRun } from './formatPlan.ts';
import type { CampaignFile } from '../../plan/campaignFile.ts';
import { planCampaign } from '../../plan/planCampaign.ts';
import { startingFile } from '../../plan/startingFile.ts';
import { networkProfiles } from '../../../src/network/profiles/registry.ts';
import { pick } from '../../../src/shared/registry.ts';

const formatted = (changes: Partial<CampaignFile>, workers: number): string => {
  const campaign = { ...startingFile, ...changes };
  const networks = campaign.profiles.map((id) => ({ name: id, profile: pick(networkProfiles, id) }));
  const plan = planCampaign(campaign, networks);
  if (!plan.ok) throw new Error(plan.error);
  return formatDryRun(plan.value, workers);
};

test('says size, time with its formula, the first order, and that a verdict is out of reach', () => {
  const lines = formatted(
    { rules: ['bb', 'bola', 'sara'], profiles: ['dvl', 'dl', 'dh'], repeats: 2, seeds: [1], seconds: 60 },
    6,
  ).split('\n');
  expect(lines[0]).toBe(
    'first-campaign: 3 rules × 4 transports × 3 profiles × 1 content × 2 repeats × 1 seed = 72 sessions',
  );
  expect(lines[1]).toBe(
    '14 min with 6 pairs at once: ⌈6 ÷ 6⌉ × 12 arms × 70 s (5 s lead-in + 60 s + 5 s to start and end)',
  );
  expect(lines[2]).toMatch(/^first pair, dvl\/demo\/0\/1: (\S+, ){11}\S+$/);
  expect(lines[3]).toBe(
    'no verdict on join time, lower is better, margin 50 ms: 18 comparisons of 6 pairs each: the smallest p after Holm is 18 × 2^(1−6) = 0.56, not below alpha 0.05; at least 10 pairs are needed',
  );
});

test('says how many sessions each block has', () => {
  expect(formatted({ blocks: 2, repeats: 5, seeds: [1] }, 1).split('\n')[2]).toBe(
    '2 blocks, best on different days: 12 sessions with --block 1, 8 sessions with --block 2',
  );
  expect(formatted({}, 1)).not.toContain('block');
});

test('says that a verdict is within reach, with the numbers', () =>
  expect(formatted({}, 1)).toContain(
    'possible. 6 comparisons of 12 pairs each: the smallest p after Holm is 6 × 2^(1−12) = 0.0029, below alpha 0.05',
  ));

test('says that a week is a week', () =>
  expect(formatted({ seconds: 86_400, repeats: 1 }, 1)).toContain(
    '8 days 40 s with 1 pair at once: ⌈2 ÷ 1⌉ × 4 arms × 86405 s (86400 s + 5 s to start and end); a week or more, which needs --long',
  ));
