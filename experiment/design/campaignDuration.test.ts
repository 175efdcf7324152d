import { expect, test } from 'vitest';
import type { CampaignFile } from './campaignFile.ts';
import { formatDuration, OVERHEAD_MS, VISIT_MS, campaignDuration } from './campaignDuration.ts';
import { planCampaign } from './planCampaign.ts';
import { startingFile } from './startingFile.ts';
import { networkProfiles } from '../../src/network/profiles/registry.ts';
import { pick } from '../../src/shared/registry.ts';

const wifi = { name: 'wifi', profile: pick(networkProfiles, 'wifi') };
const timeOf = (workers: number, networks = [wifi]) => {
  const plan = planCampaign({ ...startingFile, seconds: 60 }, networks);
  if (!plan.ok) throw new Error(plan.error);
  return campaignDuration(plan.value, workers);
};

test.each([
  [1, 12],
  [5, 3],
  [6, 2],
  [12, 1],
  [50, 1],
])('twelve pairs of four arms, %i pairs at once: %i rounds', (workers, rounds) => {
  const sessionMs = 65_000 + OVERHEAD_MS;
  expect(timeOf(workers)).toMatchObject({ sessions: 48, pairs: 12, arms: 4, sessionMs });
  expect(timeOf(workers)).toMatchObject({ atOnce: Math.min(12, workers), totalMs: rounds * 4 * sessionMs });
});

test('without a link there is no lead-in', () =>
  expect(timeOf(1, [])).toMatchObject({ sessionMs: 60_000 + OVERHEAD_MS }));

test('without a link a warm browser takes longer, over one its visit is part of the lead-in', () => {
  const sessionMs = (changes: Partial<CampaignFile>): number => {
    const plan = planCampaign({ ...startingFile, ...changes }, []);
    if (!plan.ok) throw new Error(plan.error);
    return campaignDuration(plan.value, 1).sessionMs;
  };
  expect(sessionMs({ browserProfile: 'warm' }) - sessionMs({})).toBe(VISIT_MS);
  expect(sessionMs({ browserProfile: 'cold' })).toBe(sessionMs({}));
  const profiles = ['wifi'];
  expect(sessionMs({ browserProfile: 'warm', profiles })).toBe(sessionMs({ profiles }));
});

test.each([
  [0, '0 s'],
  [65_000, '1 min 5 s'],
  [3_600_000, '1 h'],
  [86_400_000, '1 day'],
  [789_000_000, '9 days 3 h'],
])('%i ms is %s', (durationMs, words) => expect(formatDuration(durationMs)).toBe(words));
