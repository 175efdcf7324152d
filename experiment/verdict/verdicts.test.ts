import { describe, expect, test } from 'vitest';
import { compared } from './compared.ts';
import { formatRobustness } from './formatVerdict.ts';
import { rowPower } from './rowPower.ts';
import { verdicts } from './verdicts.ts';
import { declaredComparisons } from './comparisons.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import type { CampaignPlan, PlannedSession } from '../design/plan.ts';
import { networksOf } from '../design/networks.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';
import { verdictReach } from './verdictReach.ts';
import { meanTest } from '../../src/analysis/statistics/meanIntervals.ts';
import { seededNormals } from '../../src/analysis/statistics/random.ts';

function planOf(changes: Partial<CampaignFile>): CampaignPlan {
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['bola'],
    transports: ['h2', 'h3-racing'],
    profiles: [],
    contents: ['demo'],
    repeats: 36,
    seeds: [1],
    primary: 'mean-bitrate',
    margin: 50,
    ...changes,
  };
  const plan = planCampaign(campaign, networksOf(campaign));
  if (!plan.ok) throw new Error(plan.error);
  return plan.value;
}

/** Returns values of sessions: each has its pair's own level, which all arms share, and what `extra` says. */
function valuesOf(
  plan: CampaignPlan,
  extra: (session: PlannedSession, noise: number) => number | null,
  seed = 1,
) {
  const next = seededNormals(seed);
  const levels = new Map<string, number>();
  return new Map(
    plan.sessions.map((session) => {
      const { pair } = session.design;
      const level = levels.get(pair) ?? 3000 + 1000 * next(1)[0]!;
      levels.set(pair, level);
      const own = extra(session, next(1)[0]!);
      return [session.id, own === null ? null : level + own] as const;
    }),
  );
}

const isRacing = ({ transport }: PlannedSession): boolean => transport === 'h3-racing';

describe('declared comparisons', () => {
  const names = (changes: Partial<CampaignFile>): string[] =>
    declaredComparisons(planOf(changes)).map(
      ({ first, second, within, network }) =>
        `${first} against ${second} in ${within}${network ? `, ${network}` : ''}`,
    );

  test('are each with each under the same rule, the later against the earlier', () =>
    expect(names({ transports: ['h1', 'h2', 'h3-only'], rules: ['bola', 'bb'] })).toEqual([
      'h2 against h1 in bola',
      'h3-only against h1 in bola',
      'h3-only against h2 in bola',
      'h2 against h1 in bb',
      'h3-only against h1 in bb',
      'h3-only against h2 in bb',
    ]));

  test('or all with the control, for each network', () =>
    expect(
      names({
        compare: 'rules',
        rules: ['bola', 'bb', 'sara'],
        control: 'bb',
        profiles: ['dvl', 'dl'],
        per: 'network',
      }),
    ).toEqual(
      ['dvl', 'dl'].flatMap((network) =>
        ['h2', 'h3-racing'].flatMap((within) =>
          ['bola', 'sara'].map((first) => `${first} against bb in ${within}, ${network}`),
        ),
      ),
    ));

  test('of transports are made within each rule and controller, of controllers within each transport', () => {
    const both = { origin: 'instrumented', controllers: ['reno', 'bbr'] } as const;
    const file = { ...both, controllers: [...both.controllers] };
    expect(names({ ...file, rules: ['bola', 'bb'] })).toEqual([
      'h3-racing against h2 in bola/reno',
      'h3-racing against h2 in bola/bbr',
      'h3-racing against h2 in bb/reno',
      'h3-racing against h2 in bb/bbr',
    ]);
    const within = declaredComparisons(planOf({ ...file, compare: 'controllers' }));
    expect(within.map(({ firstArm, secondArm }) => [firstArm, secondArm])).toEqual([
      ['bola/h2/bbr', 'bola/h2/reno'],
      ['bola/h3-racing/bbr', 'bola/h3-racing/reno'],
    ]);
  });

  test.each<Partial<CampaignFile>>([
    {},
    { origin: 'instrumented', controllers: ['reno', 'cubic', 'bbr'], rules: ['bola', 'bb'] },
    { origin: 'instrumented', controllers: ['reno', 'cubic', 'bbr'], compare: 'controllers' },
    { rules: ['bola', 'bb', 'sara'], transports: ['h1', 'h2', 'h3-racing', 'h3-only'] },
    { rules: ['bola', 'bb'], compare: 'rules', profiles: ['dvl', 'dl'], per: 'network', repeats: 5 },
    { rules: ['bola', 'bb'], compare: 'rules', profiles: ['dvl', 'dl'], repeats: 5, control: 'bb' },
  ])('are as many, of as many pairs, as the design was judged by: %j', (changes) => {
    const plan = planOf(changes);
    const rows = compared(plan, new Map(), { better: 'higher' });
    const { comparisons, pairs } = verdictReach(plan.campaign);
    expect(rows).toHaveLength(comparisons);
    for (const row of rows) expect(row.pairs).toMatchObject({ planned: pairs, missing: pairs, values: [] });
  });
});

describe('verdicts', () => {
  const plan = planOf({});

  test('see a difference of 200 among levels that differ by 1,000', () => {
    const values = valuesOf(plan, (session, noise) => (isRacing(session) ? 200 : 0) + 60 * noise);
    const [row] = verdicts(plan, values, { better: 'higher' });
    expect(row).toMatchObject({ verdict: 'better', why: null, pairs: { planned: 36, missing: 0 } });
    expect(row!.statistics!.mean.interval![0]).toBeGreaterThan(140);
    expect(row!.holmP).toBeLessThan(1e-6);
    expect(row!.statistics!.unpaired.p).toBeGreaterThan(0.05);
    expect(verdicts(plan, values, { better: 'lower' })[0]!.verdict).toBe('worse');
  });

  test('turn around when the arms are swapped', () => {
    const swapped = planOf({ transports: ['h3-racing', 'h2'] });
    const values = valuesOf(plan, (session, noise) => (isRacing(session) ? 200 : 0) + 60 * noise);
    const [there] = verdicts(plan, values, { better: 'higher' });
    const [back] = verdicts(swapped, values, { better: 'higher' });
    expect([there!.verdict, back!.verdict]).toEqual(['better', 'worse']);
    expect(back!.holmP).toBe(there!.holmP);
    expect(back!.statistics!.mean.value).toBeCloseTo(-there!.statistics!.mean.value, 8);
    expect(back!.statistics!.counts!.won).toBe(there!.statistics!.counts!.lost);
  });

  test('say equivalent of the same numbers, and cannot tell of noise', () => {
    expect(
      verdicts(
        plan,
        valuesOf(plan, () => 0),
        { better: 'higher' },
      )[0],
    ).toMatchObject({
      verdict: 'equivalent',
      holmP: 1,
      statistics: { counts: { won: 0, lost: 0, tied: 36 } },
    });
    const noise = verdicts(
      plan,
      valuesOf(plan, (_, noise) => 400 * noise),
      { better: 'higher' },
    )[0]!;
    expect(noise.verdict).toBe('cannot-tell');
    // π/3 × ((1.96 + 0.84) × 400 √2 / 50)² = 1052 with the true spread.
    const { pairsForMargin } = rowPower(plan.campaign, noise);
    expect(pairsForMargin).toBeGreaterThan(600);
    expect(pairsForMargin).toBeLessThan(1600);
  });

  test('take the rest of a rounding for no difference', () => {
    const values = valuesOf(plan, () => 0);
    for (const session of plan.sessions.filter(isRacing))
      values.set(session.id, values.get(session.id)! + 1e-12);
    expect(verdicts(plan, values, { better: 'higher' })[0]!.statistics!.counts).toEqual({
      won: 0,
      lost: 0,
      tied: 36,
    });
  });

  test('leave out pairs with a missing log, an invalidated pair, a value that is not known, and count each', () => {
    const values = valuesOf(plan, (session, noise) =>
      session.design.repeat === 5 && isRacing(session) ? null : (isRacing(session) ? 200 : 0) + 60 * noise,
    );
    const [lost] = plan.sessions;
    values.delete(lost!.id);
    const invalidated = plan.sessions.at(-1)!.design.pair;
    const [row] = verdicts(plan, values, { better: 'higher', flagged: new Set([invalidated]) });
    expect(row!.pairs).toMatchObject({
      planned: 36,
      missing: 1,
      flagged: 1,
      unknown: { first: 1, second: 0, both: 0 },
    });
    expect(row!.pairs.values).toHaveLength(33);
    expect(row!.statistics!.test.pairs).toBe(33);
  });

  test('count a pair that the simulator played just as another once', () => {
    const values = valuesOf(plan, (session) => (isRacing(session) ? 200 : 0));
    const byRepeat = ({ transport, design }: PlannedSession): string => `${transport} ${design.repeat % 4}`;
    const playbackHashes = new Map(plan.sessions.map((session) => [session.id, byRepeat(session)]));
    const [row] = verdicts(plan, values, { better: 'higher', playbackHashes });
    expect(row).toMatchObject({
      pairs: { planned: 36, missing: 0, copies: 32 },
      verdict: null,
      why: 'Only 4 of the 6 independent pairs that a verdict needs are available: under equal conditions the simulator gives copies.',
    });
    expect(row!.statistics!.test.pairs).toBe(4);
    // One arm alone that plays the same says nothing of the pair.
    const halves = new Map(
      [...playbackHashes].map(([id, playbackHash], at) => [
        id,
        at % 2 ? playbackHash : `${playbackHash} ${id}`,
      ]),
    );
    expect(verdicts(plan, values, { better: 'higher', playbackHashes: halves })[0]!.pairs.copies).toBe(0);
  });

  test('are not given by a design that cannot reach one, nor by fewer pairs than it needs', () => {
    const small = planOf({ repeats: 5 });
    const sure = valuesOf(small, (session) => (isRacing(session) ? 2000 : 0));
    expect(verdicts(small, sure, { better: 'higher' })[0]).toMatchObject({
      verdict: null,
      why: 'The design has too few pairs for any verdict: it needs at least 6.',
    });
    const early = new Map([...valuesOf(plan, (session) => (isRacing(session) ? 2000 : 0))].slice(0, 10));
    expect(verdicts(plan, early, { better: 'higher' })[0]).toMatchObject({
      verdict: null,
      why: 'Only 5 of the 6 pairs that a verdict needs are available.',
    });
    expect(verdicts(plan, new Map(), { better: 'higher' })[0]).toMatchObject({
      verdict: null,
      statistics: null,
      holmP: null,
    });
  });

  test('say the same of a margin whatever the draws, also near where they would say something else', () => {
    const values = seededNormals(5)(10).map((each) => 200 + 40 * each);
    // Half of the p that still is below alpha, less 1.5 of its standard errors with 10,000 draws.
    const p = 0.025 - 1.5 * Math.sqrt((0.025 * 0.975) / 10_000);
    const [margin] = meanTest(values, { seed: 9, resamples: 1_000_000 }).interval(1 - 2 * p)!;
    const ten = planOf({ repeats: 10, margin });
    // Differences in another order meet other draws.
    const said = (resamples?: number): Set<string> =>
      new Set(
        values.map((_, first) => {
          let place = first;
          const of = new Map(
            ten.sessions.map((session) => [session.id, isRacing(session) ? values[place++ % 10]! : 0]),
          );
          const options = { better: 'higher' as const, ...(resamples !== undefined && { resamples }) };
          return verdicts(ten, of, options)[0]!.judgement!.relevance;
        }),
      );
    expect(said()).toEqual(new Set(['beyond']));
    expect(said(10_000)).toEqual(new Set(['beyond', 'undecided']));
  });

  test('what is neither a number nor null is not known', () => {
    const values = valuesOf(plan, () => 0);
    values.set(plan.sessions[0]!.id, NaN);
    const { unknown } = verdicts(plan, values, { better: 'higher' })[0]!.pairs;
    expect(unknown.first + unknown.second).toBe(1);
  });

  test('compare on each network by itself where the campaign says so', () => {
    const networks = planOf({ profiles: ['dvl', 'dl'], per: 'network', repeats: 20, margin: 0 });
    const values = valuesOf(
      networks,
      (session, noise) => (isRacing(session) && session.link?.network === 'dl' ? 200 : 0) + 60 * noise,
    );
    expect(
      verdicts(networks, values, { better: 'higher' }).map(({ comparison, verdict }) => [
        comparison.network,
        verdict,
      ]),
    ).toEqual([
      ['dvl', 'cannot-tell'],
      ['dl', 'better'],
    ]);
  });
});

test('a verdict over several networks comes with the means on each, which add up to it', () => {
  const plan = planOf({ profiles: ['dvl', 'dl'], repeats: 10 });
  const values = valuesOf(plan, (session, noise) =>
    isRacing(session) ? (session.link?.network === 'dl' ? 200 : -50) + noise : 0,
  );
  const [row] = verdicts(plan, values, { better: 'higher' });
  expect(row!.networks.map(({ network, pairs }) => [network, pairs])).toEqual([
    ['dvl', 10],
    ['dl', 10],
  ]);
  const [dvl, dl] = row!.networks.map(({ difference }) => difference) as [number, number];
  expect(dvl).toBeCloseTo(-50, -1);
  expect(dl).toBeCloseTo(200, -1);
  expect((dvl + dl) / 2).toBeCloseTo(row!.statistics!.mean.value, 6);
  expect(row!.networks[0]!.first - row!.networks[0]!.second).toBeCloseTo(dvl, 6);
  const one = planOf({ profiles: ['dvl'] });
  expect(
    verdicts(
      one,
      valuesOf(one, () => 0),
      { better: 'higher' },
    )[0]!.networks,
  ).toEqual([]);
});

test('what a verdict hangs on: one pair, the number of pairs, the margin', () => {
  const plan = planOf({});
  const values = valuesOf(plan, (session, noise) => (isRacing(session) ? 200 : 0) + 60 * noise);
  const [row] = verdicts(plan, values, { better: 'higher' });
  const { mean, leaveOneOut } = row!.statistics!;
  expect(leaveOneOut![0]).toBeLessThan(mean.value);
  expect(leaveOneOut![1]).toBeGreaterThan(mean.value);
  // (1.96 + 0.84) × 60 √2 ÷ √(36 × 3/π) = 41 with the true spread.
  const { detectable } = rowPower(plan.campaign, row!);
  expect(detectable).toBeGreaterThan(28);
  expect(detectable).toBeLessThan(58);
  expect(row!.sensitivity).toMatchObject({ 2: 'beyond', 10: 'inside' });
  expect(formatRobustness({ ...row!, leaveOneOut, detectable }, 'kbit/s')).toMatch(
    /^leaving out any one pair: \+169\.\d to \+178\.\d kbit\/s · detectable \d+ kbit\/s · margin 2 % beyond, 5 % beyond, 10 % inside$/,
  );
});

test('of 200 campaigns without any difference, at most 16 claim one in any of their comparisons', () => {
  const plan = planOf({ transports: ['h1', 'h2', 'h3-racing', 'h3-only'], repeats: 12, margin: 0 });
  const claiming = Array.from({ length: 200 }, (_, seed) =>
    verdicts(
      plan,
      valuesOf(plan, (_, noise) => 100 * noise, seed),
      { better: 'higher', resamples: 200 },
    ),
  ).filter((rows) => rows.some(({ verdict }) => verdict === 'better' || verdict === 'worse'));
  expect(claiming.length).toBeLessThanOrEqual(16);
});

test('a shift of 3 % at a paired SD of 8 % is found by 60 pairs as often as theory says: in 81 %', () => {
  const plan = planOf({ repeats: 60, margin: 0 });
  // Both arms vary, so each has 8 % / √2 of 3,000 kbit/s.
  const deviation = (0.08 * 3000) / Math.SQRT2;
  const found = Array.from({ length: 500 }, (_, seed) =>
    verdicts(
      plan,
      valuesOf(plan, (session, noise) => (isRacing(session) ? 90 : 0) + deviation * noise, seed),
      { better: 'higher', resamples: 200 },
    ),
  ).filter(([row]) => row!.verdict === 'better').length;
  expect(found / 500).toBeGreaterThanOrEqual(0.76);
  expect(found / 500).toBeLessThanOrEqual(0.86);
});
