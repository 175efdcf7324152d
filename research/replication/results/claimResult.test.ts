import { describe, expect, test } from 'vitest';
import { AGGREGATE_SCHEMA, type Aggregate } from './aggregate.ts';
import { byNetwork } from './byNetwork.ts';
import { claimResults, type ClaimResult } from './claimResult.ts';
import type { Claim, PaperCampaign } from '../paperCampaign.ts';
import { formatResults } from '../pages/formatResults.ts';
import { formatVerdicts } from '../pages/formatVerdicts.ts';
import { paperCampaigns } from '../papers.ts';
import type { CampaignFile } from '../../../experiment/design/campaignFile.ts';
import { networksOf } from '../../../experiment/design/networks.ts';
import { planCampaign } from '../../../experiment/design/planCampaign.ts';
import { startingFile } from '../../../experiment/design/startingFile.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { exploratoryTable } from '../../../experiment/report/model/exploratoryTable.ts';
import { verdictLines, type JudgingMetric } from '../../../experiment/report/model/verdictLines.ts';
import { pick } from '../../../src/shared/registry.ts';
import { valueOf } from '../../../src/shared/result.ts';

/** Values of h3-only, less those of h2, by metric: h2 has 1000 of everything. */
type More = Readonly<Record<string, (repeat: number, network: string) => number>>;

/** Makes the results of a campaign of two arms in which sessions have such values. */
function measured(more: More, changes: Partial<CampaignFile> = {}): Aggregate {
  const campaign: CampaignFile = {
    ...startingFile,
    name: 'made-up',
    rules: ['sara'],
    transports: ['h2', 'h3-only'],
    profiles: ['dvl'],
    phase: 'start',
    repeats: 10,
    seeds: [1],
    per: 'network',
    primary: 'mean-bitrate',
    margin: 100,
    ...changes,
  };
  const plan = valueOf(planCampaign(campaign, networksOf(campaign)));
  const sessions = plan.sessions.map(({ id, design, transport, link }) => {
    const values = Object.entries(more).map(([metric, of]) => [
      metric,
      1000 + (transport === 'h2' ? 0 : of(design.repeat, link!.network)),
    ]);
    return {
      id,
      design,
      playbackHash: null,
      values: Object.fromEntries(values) as Record<string, number>,
    };
  });
  const source = { plan, sessions, aaSessions: [], flagged: [] };
  const primary = pick(metrics, campaign.primary) as JudgingMetric;
  return {
    schema: AGGREGATE_SCHEMA,
    campaign,
    primary,
    byNetwork: byNetwork(source),
    verdicts: verdictLines(source, primary),
    exploratory: exploratoryTable(source, primary.id),
    arms: [{ arm: 'sara/h2', network: 'dvl', sessions: 10, means: { 'join-time': 1000 } }],
    counts: {
      planned: 20,
      finished: 20,
      used: 20,
      pairs: 10,
      comparisons: 1,
      recordedMs: 1,
      firstUnixMs: null,
      lastUnixMs: null,
    },
    fairness: { sentence: 'All alike.', table: { rows: [] } },
    notes: [],
    warnings: [],
    thesis: [],
  } as unknown as Aggregate;
}

/** So much more in each repeat, with a little spread. */
const shift =
  (by: number) =>
  (repeat: number): number =>
    by + repeat / 10;

const claim = (changes: Partial<Claim> = {}): Claim => ({
  metric: 'mean-bitrate',
  first: 'h3-only',
  second: 'h2',
  within: 'sara',
  network: 'dvl',
  expects: 'higher',
  says: '0.32 against 0.28 Mbit/s (Table 0)',
  ...changes,
});

const resultOf = (changes: Partial<Claim>, more: More): ClaimResult =>
  claimResults([claim(changes)], measured(more))[0]!;

describe('a claim that one is higher or lower', () => {
  test.each<[string, Partial<Claim>, number, string]>([
    ['the same way', {}, 48, 'same'],
    ['about as much, though it is inside our margin', { size: 40 }, 48, 'same'],
    ['half as much', { size: 96 }, 48, 'same'],
    ['more than twice as much', { size: 400 }, 48, 'smaller'],
    ['half of ours', { size: 250 }, 480, 'same'],
    ['less than half of ours', { size: 40 }, 480, 'larger'],
    ['the other way', { expects: 'lower', size: -50 }, 48, 'opposite'],
  ])('%s', (_, changes, by, outcome) => {
    const found = resultOf(changes, { 'mean-bitrate': shift(by) });
    expect(found.outcome).toBe(outcome);
    expect(found.ours).toMatch(/^\+\d.* kbit\/s \(95 % .* to .*, 10 pairs, p_Holm = 0\.002\): higher, /);
  });

  test.each<[string, Partial<Claim>, string]>([
    ['of a size that ours exclude', { expects: 'lower', size: -900 }, 'size excluded'],
    ['of a size that ours do not exclude', { size: 100 }, 'cannot tell'],
    ['of no size', {}, 'cannot tell'],
  ])('%s, where ours show no direction', (_, changes, outcome) => {
    const found = resultOf(changes, { 'mean-bitrate': (repeat) => (repeat % 2 ? 300 : -300) });
    expect(found.outcome).toBe(outcome);
    expect(found.ours).toMatch(/: cannot tell$/);
  });

  test('in percent of the second arm', () => {
    const about = { metric: 'join-time', expects: 'lower' } as const;
    const less = { 'join-time': shift(-48) };
    expect(resultOf({ ...about, sizePercent: -8 }, less).outcome).toBe('same');
    expect(resultOf({ ...about, sizePercent: -18 }, less).outcome).toBe('smaller');
  });
});

test('a claim that cannot fail is not the same, and says so if it fails after all', () => {
  const more = { 'mean-bitrate': shift(48) };
  const certain = { cannotFail: 'it takes 0 ms' };
  expect(resultOf(certain, more).outcome).toBe('cannot fail');
  expect(resultOf({ ...certain, expects: 'lower' }, more).outcome).toBe('opposite');
  const campaign = { id: 'x', label: 'x', place: null, metrics: [], claims: [claim(certain)] };
  expect(formatResults(campaign, measured(more))).toContain('| cannot fail: it takes 0 ms |');
});

describe('a claim of no difference', () => {
  test.each<[string, (repeat: number) => number, string, RegExp]>([
    ['no direction, inside the margin', (repeat) => (repeat % 2 ? 3 : -3), 'same', /: equivalent, inside/],
    [
      'a direction inside the margin: a difference that every pair has',
      shift(48),
      'a difference, inside the margin',
      /: higher, inside the margin of 100 kbit\/s$/,
    ],
    ['a direction beyond it', shift(-480), 'a difference', /: lower, beyond the margin of 100 kbit\/s$/],
    ['neither', (repeat) => (repeat % 2 ? 300 : -300), 'not contradicted', /: cannot tell$/],
  ])('%s', (_, more, outcome, ours) => {
    const found = resultOf({ expects: 'no difference' }, { 'mean-bitrate': more });
    expect(found.outcome).toBe(outcome);
    expect(found.ours).toMatch(ours);
  });

  test('is never the same on an exploratory metric, which has no margin', () => {
    const about = { metric: 'join-time', expects: 'no difference' } as const;
    expect(resultOf(about, { 'join-time': (repeat) => (repeat % 2 ? 3 : -3) }).outcome).toBe(
      'not contradicted',
    );
    expect(resultOf(about, { 'join-time': shift(1) }).outcome).toBe('a difference');
  });
});

describe('exploratory claims', () => {
  /** Nine pairs higher, and the one that is lower has the third smallest difference: p = 10 / 2¹⁰. */
  const nearly = (repeat: number): number => (repeat === 0 ? -2.5 : repeat + 0.1);
  const about = claim({ metric: 'join-time' });
  const alike = ['switches', 'throughput', 'handshake-time', 'qoe-log', 'qoe-hd', 'requests'];
  const others = alike.map((metric) => claim({ metric }));
  const either = (repeat: number): number => (repeat % 2 ? 3 : -3);
  const aggregate = measured({
    'join-time': nearly,
    ...Object.fromEntries(alike.map((id) => [id, either])),
  });

  test('one alone is not corrected, and it is no verdict', () => {
    const [found] = claimResults([about], aggregate);
    expect(found).toMatchObject({ outcome: 'same' });
    expect(found!.ours).toMatch(/p = 0\.0098, p_Holm = 0\.0098\): higher, exploratory$/);
  });

  test('among others, p is corrected over all of them', () => {
    const [found] = claimResults([about, ...others], aggregate);
    expect(found!.ours).toMatch(/p = 0\.0098, p_Holm = 0\.068\): cannot tell, exploratory$/);
    expect(found!.outcome).toBe('cannot tell');
  });

  test('of which no pair has a value stay in the family', () => {
    const unknown = others.map((_, place) => claim({ metric: 'seek-wait', within: `sara-${place}` }));
    const [found, second] = claimResults([about, ...unknown], aggregate);
    expect(found!.ours).toContain('p_Holm = 0.068');
    expect(second).toMatchObject({ outcome: 'not known', ours: 'no pair has a value' });
  });

  test('the primary metric is not among them, and a network that was left out neither', () => {
    const elsewhere = others.map((each) => ({ ...each, network: 'dh' }));
    const results = claimResults([about, claim(), ...elsewhere], aggregate);
    expect(results[0]!.ours).toContain('p_Holm = 0.0098');
    expect(results.slice(2).every((each) => each === null)).toBe(true);
  });

  test('that four pairs seem to bear out, where the other six are alike', () => {
    const found = resultOf({ metric: 'join-time' }, { 'join-time': (repeat) => [9, 5, 7, 3][repeat] ?? 0 });
    expect(found).toMatchObject({ outcome: 'cannot tell' });
    expect(found.ours).toMatch(/p = 0\.1/);
  });
});

test('an expectation that was set after the data says so, with the one before it', () => {
  const changed = claim({ expects: 'no difference', setAfterData: { before: 'lower' } });
  const aggregate = measured({ 'mean-bitrate': shift(-8) });
  expect(claimResults([changed], aggregate)[0]).toMatchObject({
    outcome: 'a difference, inside the margin',
    outcomeBefore: 'same',
  });
  const paper = { id: 'made-up', metrics: [], claims: [changed] } as unknown as PaperCampaign;
  expect(formatResults(paper, aggregate)).toContain(
    '| a difference, inside the margin (expectation set after the data; before it was “lower”: same) |',
  );
});

test('over several networks, a claim shows on how many it is so', () => {
  const profiles = ['dvl', 'dh', 'dl', 'wifi', 'lte', '3g'];
  const aggregate = measured(
    {
      'mean-bitrate': (repeat, network) => (network === 'dh' ? -70 : 400 + network.length + repeat),
      'join-time': () => 0,
    },
    { profiles, repeats: 2, per: 'campaign' },
  );
  const found = claimResults(
    [claim({ network: null }), claim({ network: null, metric: 'join-time' })],
    aggregate,
  );
  expect(found[0]!.ours).toMatch(/; higher on 5, lower on 1 of 6 networks$/);
  expect(found[1]!.ours).toMatch(/; the same on 6 of 6 networks$/);
  expect(formatVerdicts(aggregate)).toContain('12 pairs: 6 networks, 2 repeats of each.');
  expect(formatVerdicts(aggregate)).toContain('higher on 5, lower on 1 of 6 networks');
});

describe('the verdicts of a page', () => {
  test('direction with size, interval, percent and relevance', () => {
    expect(formatVerdicts(measured({ 'mean-bitrate': shift(48) }))).toMatch(
      /^Each verdict stands on 10 repeats of one network, each from the same moment of it\. .*\n\n- h3-only against h2 on dvl: \*\*higher by 48\.\d+ kbit\/s\*\* \(95 % interval 48\.\d+ to 48\.\d+\), \+4\.8\d* % \(.*\); inside the margin of 100 kbit\/s; p\\_Holm = 0\.002, 10 pairs; without any one pair \+48\.\d+ to \+48\.\d+\.$/,
    );
    expect(formatVerdicts(measured({ 'mean-bitrate': shift(-480) }))).toMatch(
      /\*\*lower by 479\.\d+ kbit\/s\*\* \(95 % interval 479\.\d+ to 479\.\d+\), −4\d.* beyond the margin/,
    );
  });

  test('where pairs are left out, a verdict does not stand on all that were planned', () => {
    const profiles = ['dvl', 'dl'];
    const aggregate = measured({ 'mean-bitrate': shift(48) }, { profiles, per: 'campaign', repeats: 6 });
    const [line] = aggregate.verdicts;
    const fewer = { ...line!, pairs: { ...line!.pairs, compared: 9 } };
    expect(formatVerdicts({ ...aggregate, verdicts: [fewer] })).toMatch(
      /^Each verdict was planned on 12 pairs, and stands on those that its line counts: 2 networks, 6 repeats of each\./,
    );
  });

  test('a mean that hangs on one pair names this pair', () => {
    const text = formatVerdicts(measured({ 'mean-bitrate': (repeat) => (repeat === 4 ? 598 : 30 + repeat) }));
    expect(text).toContain('one pair of +598 kbit/s carries it, without this pair it is +');
  });

  test('without a direction, what these pairs could find', () => {
    const text = formatVerdicts(
      measured({ 'mean-bitrate': (repeat) => (repeat % 2 ? 300 : -300) * Math.sin(1 + repeat) }),
    );
    expect(text).toMatch(
      /\*\*cannot tell\*\*, .*; these pairs find \d+ kbit\/s with a probability of 75 to 90 %\.$/,
    );
  });
});

test('sizes of the papers have the sign of what is expected, and none where no difference is', () => {
  const sized = paperCampaigns
    .flatMap(({ claims }) => claims)
    .filter(({ size, sizePercent }) => size !== undefined || sizePercent !== undefined);
  expect(sized.length).toBeGreaterThan(30);
  for (const { expects, size, sizePercent, says } of sized)
    expect(Math.sign((size ?? sizePercent)!), says).toBe({ higher: 1, lower: -1 }[expects as 'higher']);
});
