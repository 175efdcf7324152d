import { describe, expect, test } from 'vitest';
import { aaCouples, resolutionOf } from './resolution.ts';
import { formatRobustness } from './formatVerdict.ts';
import { verdicts, type VerdictRow } from './verdicts.ts';
import type { CampaignFile } from '../plan/campaignFile.ts';
import { isAaSession } from '../plan/factorsOf.ts';
import { networksOf } from '../plan/networks.ts';
import type { CampaignPlan, PlannedSession } from '../plan/plan.ts';
import { planCampaign } from '../plan/planCampaign.ts';
import { startingFile } from '../plan/startingFile.ts';

const LOSSLESS = 'constant-3mbps';
const LOSSY = 'np2b-typical-delay-large-loss';

function planOf(changes: Partial<CampaignFile> = {}): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    ...{ rules: ['bola'], transports: ['h2', 'h3-only'], profiles: [LOSSLESS] },
    ...{ repeats: 20, seeds: [1], primary: 'mean-bitrate', aaSessions: true, ...changes },
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
      ...{ flagged: new Set(), isPositive: true },
    });
    // The 0.95 quantile (type 7) of 0 to 19 is 18.05: on 1000 kbit/s between 1.8 and 1.9 %.
    expect(found).toMatchObject({ isPercent: true, pairs: 20 });
    expect(found!.value).toBeCloseTo(1.805, 3);
  });

  test('is in the unit of a metric that may be 0', () => {
    const plan = planOf();
    const found = resolutionOf(plan, valuesOf(plan, { h3: () => 0, aa: spread }), {
      ...{ flagged: new Set(), isPositive: false },
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
        ...{ flagged: new Set(), isPositive: true },
      }),
    ).toBeNull();
  });
});

describe('a pair within the resolution', () => {
  test('is a tie: a difference in every pair that the lab cannot see is no direction', () => {
    const plan = planOf();
    const small = valuesOf(plan, { h3: ({ design }) => 5 + (design.repeat % 7), aa: spread });
    const row = judged(plan, small);
    expect(row.statistics).toMatchObject({
      ...{ counts: { won: 0, lost: 0, tied: 20 }, test: { p: 1, zeros: 20 } },
      resolution: { pairs: 20 },
    });
    // The mean and its interval keep all differences.
    expect(row.statistics!.mean.value).toBeGreaterThan(5);
    expect(row.statistics!.mean.interval![0]).toBeGreaterThan(0);
    expect(row.judgement).toEqual({ direction: 'cannot-tell', relevance: 'inside' });
    const robust = {
      ...row,
      leaveOneOut: row.statistics!.leaveOneOut,
      resolution: row.statistics!.resolution,
    };
    expect(formatRobustness(robust, 'kbit/s')).toContain(' · up to 1.8 % is a tie · ');

    // Without A/A sessions the lab does not know its resolution.
    const without = planOf({ aaSessions: false });
    expect(
      judged(without, valuesOf(without, { h3: ({ design }) => 5 + (design.repeat % 7), aa: spread })),
    ).toMatchObject({
      judgement: { direction: 'higher', relevance: 'inside' },
      statistics: { resolution: null },
    });
  });

  test('is not spoken of where equal sessions play alike, as in the simulator', () => {
    const plan = planOf();
    const row = judged(plan, valuesOf(plan, { h3: ({ design }) => 5 + (design.repeat % 7), aa: () => 0 }));
    expect(row.statistics).toMatchObject({ resolution: { value: 0 }, counts: { won: 20, tied: 0 } });
    const robust = {
      ...row,
      leaveOneOut: row.statistics!.leaveOneOut,
      resolution: row.statistics!.resolution,
    };
    expect(formatRobustness(robust, 'kbit/s')).not.toContain('tie');
  });

  test('beside pairs that differ by more weakens them', () => {
    const plan = planOf();
    const row = judged(
      plan,
      valuesOf(plan, { h3: ({ design }) => (design.repeat < 12 ? 60 + design.repeat : -9), aa: spread }),
    );
    expect(row.statistics!.counts).toEqual({ won: 12, lost: 0, tied: 8 });
  });

  test('is none on a network with random loss, where many pairs average what two sessions differ by', () => {
    const plan = planOf({ profiles: [LOSSY, LOSSLESS], per: 'network' });
    const values = valuesOf(plan, { h3: ({ design }) => 5 + (design.repeat % 7), aa: spread });
    const rows = verdicts(plan, values, { better: 'higher', isPositive: true });
    expect(rows.map(({ comparison, judgement }) => [comparison.network, judgement!.direction])).toEqual([
      [LOSSY, 'higher'],
      [LOSSLESS, 'cannot-tell'],
    ]);
    expect(rows.map(({ statistics }) => statistics!.resolution?.pairs ?? null)).toEqual([null, 20]);
  });

  test('is a network where networks are inferred about', () => {
    const plan = planOf({
      ...{ profiles: [{ profile: 'udp-limiter', count: 12, limitKbps: [64, 1000] }], infer: 'network' },
      ...{ repeats: 1 },
    });
    const row = judged(plan, valuesOf(plan, { h3: () => 5, aa: () => 10 }));
    expect(row.pairs.networks).toHaveLength(12);
    expect(row.statistics).toMatchObject({
      counts: { won: 0, lost: 0, tied: 12 },
      resolution: { pairs: 12 },
    });
  });
});
