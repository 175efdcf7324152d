import { describe, expect, test } from 'vitest';
import { formatRobustness, formatVerdict } from './formatVerdict.ts';
import { verdicts } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networksOf } from '../design/networks.ts';
import type { CampaignPlan } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';

const drawn = { profile: 'constant', kbps: [500, 5000], count: 10 };

const inUnit = ({ marginPercent: _, ...campaign }: CampaignFile): CampaignFile => campaign;

function planOf(changes: Partial<CampaignFile>): CampaignPlan {
  const campaign: CampaignFile = {
    ...inUnit(startingFile),
    rules: ['bola'],
    transports: ['h2', 'h3-only'],
    profiles: [drawn],
    repeats: 6,
    seeds: [1],
    primary: 'mean-bitrate',
    margin: 50,
    ...changes,
  };
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** Each network has a difference of its own, and each pair of it that with some noise. */
function valuesOf({ sessions, networks }: CampaignPlan, effects: readonly number[]) {
  const next = seededNormals(1);
  const places = new Map(networks.map(({ name }, place) => [name, place]));
  return new Map(
    sessions.map(({ id, link, transport }) => {
      const own = transport === 'h3-only' ? effects[places.get(link!.network)!]! : 0;
      return [id, 3000 + own + next(1)[0]!] as const;
    }),
  );
}

const bitrate = { label: 'mean bitrate', unit: 'kbit/s' };
/** On six networks better, on four worse. */
const MIXED = [300, 250, 400, 350, 200, 500, -150, -100, -200, -120];

describe('networks as the unit', () => {
  const plan = planOf({ infer: 'network' });
  const [row] = verdicts(plan, valuesOf(plan, MIXED), { better: 'higher' });

  test('are averaged over their pairs first: 60 pairs are 10 values', () => {
    expect(row!.pairs).toMatchObject({ unit: 'network', compared: 60, planned: 60 });
    expect(row!.pairs.values).toHaveLength(10);
    expect(row!.pairs.byNetwork!.map(({ length }) => length)).toEqual(new Array(10).fill(6));
    expect(row!.statistics!.test.pairs).toBe(10);
    expect(row!.statistics!.counts).toMatchObject({ won: 6, lost: 4 });
    const mean = MIXED.reduce((sum, each) => sum + each) / 10;
    expect(Math.abs(row!.statistics!.mean.value - mean)).toBeLessThan(1);
  });

  test('give no verdict that pairs on these networks would give', () => {
    expect(row!.verdict).toBe('cannot-tell');
    const pairs = planOf({});
    const [asPairs] = verdicts(pairs, valuesOf(pairs, MIXED), { better: 'higher' });
    expect(asPairs!.verdict).toBe('better');
    expect(asPairs!.pairs).toMatchObject({ unit: 'pair', byNetwork: null, compared: 60 });
  });

  test('are what the sentence counts', () =>
    expect(formatVerdict(row!, bitrate, plan.campaign)).toMatch(
      /^h3-only against h2, mean bitrate: \+1\d\d kbit\/s.* won 6 of 10 networks, .*some \d+ networks would find/,
    ));

  test('are what a verdict hangs on', () => {
    const { leaveOneOut } = row!.statistics!;
    expect(formatRobustness({ ...row!, leaveOneOut, detectable: null }, 'kbit/s')).toMatch(
      /^leaving out any one network: \+/,
    );
    const carried = valuesOf(plan, [8, 7, 9, 6, 8, 7, 9, 8, 7, 100]);
    const [one] = verdicts(plan, carried, { better: 'higher' });
    expect(formatVerdict(one!, bitrate, plan.campaign)).toContain('; one network carries it: without it +');
  });

  test('lose pairs without a value, and are gone only without any', () => {
    const values = valuesOf(plan, MIXED);
    const [first, second] = plan.networks.map(({ name }) => name);
    for (const { id, link, design } of plan.sessions)
      if (link!.network === first || (link!.network === second && design.repeat > 0)) values.delete(id);
    const [left] = verdicts(plan, values, { better: 'higher' });
    expect(left!.pairs).toMatchObject({ compared: 49, missing: 11 });
    expect(left!.pairs.byNetwork!.map(({ length }) => length)).toEqual([1, ...new Array<number>(8).fill(6)]);
  });

  test('are too few where repeats make up the pairs', () => {
    const few = planOf({ infer: 'network', profiles: [{ ...drawn, count: 5 }], repeats: 20 });
    expect(verdicts(few, valuesOf(few, MIXED), { better: 'higher' })[0]).toMatchObject({
      verdict: null,
      why: 'The design has too few networks for any verdict: it needs at least 6.',
    });
  });
});

test('with one pair a network the numbers are those of pairs', () => {
  const [asNetworks, asPairs] = [planOf({ infer: 'network', repeats: 1 }), planOf({ repeats: 1 })].map(
    (plan) => verdicts(plan, valuesOf(plan, MIXED), { better: 'higher' })[0]!,
  );
  expect(asNetworks!.statistics!.mean).toEqual(asPairs!.statistics!.mean);
  expect(asNetworks!.holmP).toBe(asPairs!.holmP);
  expect(asNetworks!.judgement).toEqual(asPairs!.judgement);
});

test('"repeat" says what is counted and changes no number', () => {
  const [declared, absent] = [planOf({ infer: 'repeat' }), planOf({})].map(
    (plan) => verdicts(plan, valuesOf(plan, MIXED), { better: 'higher' })[0]!,
  );
  expect(declared!.statistics!.mean).toEqual(absent!.statistics!.mean);
  expect(declared!.pairs).toEqual(absent!.pairs);
});

/** Which of 200 campaigns claim a difference, where networks differ by chance and their mean effect is 0. */
function countClaims(plan: CampaignPlan): number {
  return Array.from({ length: 200 }, (_, seed) => {
    const effects = seededNormals(1000 + seed)(10).map((each) => 300 * each);
    const [row] = verdicts(plan, valuesOf(plan, effects), { better: 'higher', resamples: 200 });
    return row!.judgement!.direction !== 'cannot-tell';
  }).filter((isClaimed) => isClaimed).length;
}

test('where only networks differ, networks as the unit keep alpha, and pairs as the unit do not', () => {
  // 10 of 200 are expected; 18 and more have a chance of 1 %.
  expect(countClaims(planOf({ infer: 'network' }))).toBeLessThanOrEqual(17);
  expect(countClaims(planOf({}))).toBeGreaterThan(80);
});
