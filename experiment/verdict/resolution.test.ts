import { describe, expect, test } from 'vitest';
import { aaCouples, resolutionOf } from './resolution.ts';
import { formatRobustness } from './formatVerdict.ts';
import { verdicts, type VerdictRow } from './verdicts.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { isAaSession } from '../factors/arms.ts';
import { networksOf } from '../design/networks.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { seededNormals, seededRandom } from '../../src/analysis/statistics/random.ts';

const LOSSLESS = 'constant-3mbps';
const LOSSY = 'np2b-typical-delay-large-loss';

function planOf(changes: Partial<CampaignFile> = {}): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['bola'],
    transports: ['h2', 'h3-only'],
    profiles: [LOSSLESS],
    repeats: 20,
    seeds: [1],
    primary: 'mean-bitrate',
    aaSessions: true,
    ...changes,
  };
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** h2 at 1000 kbit/s, h3-only so much above it, and an A/A session so much above the session that it repeats. */
const valuesOf = (
  { sessions }: CampaignPlan,
  { h3, aa }: { h3: (session: PlannedSession) => number; aa: (session: PlannedSession) => number },
): ReadonlyMap<string, number> =>
  new Map(
    sessions.map((session) => {
      const base = session.transport === 'h2' ? 1000 : 1000 + h3(session);
      return [session.id, isAaSession(session) ? base + aa(session) : base] as const;
    }),
  );

const judged = (plan: CampaignPlan, values: ReadonlyMap<string, number>): VerdictRow =>
  verdicts(plan, values, { better: 'higher', isPositive: true })[0]!;

/** Differences of A/A sessions: 0 to 1.9 %. */
const spread = ({ design }: PlannedSession): number => design.repeat;

describe('the resolution', () => {
  test('is what 95 % of the differences between two sessions of an arm do not exceed, in %', () => {
    const plan = planOf();
    const found = resolutionOf(plan, valuesOf(plan, { h3: () => 0, aa: spread }), {
      flagged: new Set(),
      isPositive: true,
    });
    // The 0.95 quantile (type 7) of 0 to 19 is 18.05: on 1000 kbit/s between 1.8 and 1.9 %.
    expect(found).toMatchObject({ isPercent: true, pairs: 20 });
    expect(found!.value).toBeCloseTo(1.805, 3);
  });

  test('is in the unit of a metric that may be 0', () => {
    const plan = planOf();
    const found = resolutionOf(plan, valuesOf(plan, { h3: () => 0, aa: spread }), {
      flagged: new Set(),
      isPositive: false,
    });
    expect(found).toEqual({ value: 18.05, isPercent: false, pairs: 20 });
  });

  test('needs six pairs, none of them invalidated, on networks without random loss', () => {
    const at = (plan: CampaignPlan, flagged: ReadonlySet<string> = new Set()) =>
      resolutionOf(plan, valuesOf(plan, { h3: () => 0, aa: spread }), { flagged, isPositive: true });
    expect(at(planOf({ repeats: 5 }))).toBeNull();
    const six = planOf({ repeats: 6 });
    expect(at(six)).toMatchObject({ pairs: 6 });
    expect(at(six, new Set([six.sessions[0]!.design.pair]))).toBeNull();
    expect(at(planOf({ profiles: [LOSSY] }))).toBeNull();
    expect(at(planOf({ profiles: [LOSSY, LOSSLESS] }))).toMatchObject({ pairs: 20 });
    expect(at(planOf({ aaSessions: false }))).toBeNull();
  });

  test('judges no A/A test, whose differences are the same ones', () => {
    const plan = planOf({ aaLabels: ['a', 'b'], compare: 'aaLabels', aaSessions: false });
    expect(aaCouples(plan)).toHaveLength(40);
    expect(
      resolutionOf(plan, new Map(plan.sessions.map(({ id }) => [id, 1000])), {
        flagged: new Set(),
        isPositive: true,
      }),
    ).toBeNull();
  });
});

describe('A/A sessions', () => {
  const small = ({ design }: PlannedSession): number => 5 + (design.repeat % 7);

  test('make no tie: a small difference in every pair is a direction, with them and without', () => {
    const plan = planOf();
    const row = judged(plan, valuesOf(plan, { h3: small, aa: spread }));
    expect(row.statistics).toMatchObject({
      counts: { won: 20, lost: 0, tied: 0 },
      test: { zeros: 0 },
      resolution: { pairs: 20 },
    });
    expect(row.judgement).toEqual({ direction: 'higher', relevance: 'inside' });
    const without = planOf({ aaSessions: false });
    const alone = judged(without, valuesOf(without, { h3: small, aa: spread }));
    expect(alone.judgement).toEqual(row.judgement);
    expect(alone.holmP).toBe(row.holmP);
    expect(alone.statistics!.resolution).toBeNull();
  });

  test('are reported: how far two sessions of an arm are apart', () => {
    const plan = planOf();
    const row = judged(plan, valuesOf(plan, { h3: small, aa: spread }));
    const { leaveOneOut, resolution } = row.statistics!;
    expect(formatRobustness({ ...row, detectable: null, leaveOneOut, resolution }, 'kbit/s')).toContain(
      ' · two sessions of one arm differ by up to 1.8 % · ',
    );
    const alike = judged(plan, valuesOf(plan, { h3: small, aa: () => 0 }));
    expect(alike.statistics!.resolution).toMatchObject({ value: 0 });
    expect(
      formatRobustness(
        { ...alike, detectable: null, leaveOneOut, resolution: alike.statistics!.resolution },
        'kbit/s',
      ),
    ).not.toContain('two sessions');
  });

  test('make none where the network is the unit', () => {
    const plan = planOf({
      profiles: [{ profile: 'udp-limiter', count: 12, limitKbps: [64, 1000] }],
      infer: 'network',
      repeats: 1,
    });
    const row = judged(plan, valuesOf(plan, { h3: () => 5, aa: () => 10 }));
    expect(row.pairs.networks).toHaveLength(12);
    expect(row.statistics).toMatchObject({ counts: { won: 12, lost: 0, tied: 0 } });
  });
});

/** The cases of a review, in which ties from A/A sessions hid nine of ten true differences. */
test.each([
  { name: 'normal noise of 1 %, +1.5 %, 12 pairs', repeats: 12, shift: 30, rareShare: 0, deviation: 20 },
  { name: '12 % of sessions ±12 %, +5 %, 24 pairs', repeats: 24, shift: 100, rareShare: 0.12, deviation: 8 },
])('$name: found as often with A/A sessions as without', ({ repeats, shift, rareShare, deviation }) => {
  const found = [false, true].map((aaSessions) => {
    const plan = planOf({ repeats, aaSessions, profiles: [LOSSLESS] });
    return Array.from({ length: 120 }, (_, seed) => {
      const [normals, uniform] = [seededNormals(seed + 1), seededRandom(seed + 1)];
      const values = new Map(
        plan.sessions.map(({ id, transport }) => {
          const rare = uniform() < rareShare ? (uniform() < 0.5 ? -250 : 250) : 0;
          const planted = transport === 'h3-only' ? shift : 0;
          return [id, 2000 + planted + rare + deviation * normals(1)[0]!] as const;
        }),
      );
      const [row] = verdicts(plan, values, { better: 'higher', isPositive: true, resamples: 500 });
      return row!.judgement!.direction === 'higher';
    }).filter((isFound) => isFound).length;
  }) as [number, number];
  expect(found[0]).toBeGreaterThan(80);
  // Three standard errors of a difference of two such counts.
  expect(Math.abs(found[1] - found[0])).toBeLessThan(20);
});
