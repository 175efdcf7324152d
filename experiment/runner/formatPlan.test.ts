import { describe, expect, test } from 'vitest';
import { formatDryRun } from './formatPlan.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { networksOf } from '../design/networks.ts';
import { planCampaign } from '../design/planCampaign.ts';
import { startingFile } from '../design/startingFile.ts';

const formatted = (changes: Partial<CampaignFile>, workers: number): string => {
  const campaign = { ...startingFile, ...changes };
  const plan = planCampaign(campaign, networksOf(campaign));
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
    'no verdict on join time, lower is better, margin 5 %: 18 comparisons of 6 pairs each: the smallest p after Holm is 18 × 2^(1−6) = 0.56, not below alpha 0.05; at least 10 pairs are needed',
  );
});

test('counts what shares the link, which makes the arms more', () => {
  const beside = ['alone', 'tcp-cubic', 'tcp-cubic:flows=4'];
  const lines = formatted(
    {
      rules: ['bola'],
      transports: ['h2', 'h3-only'],
      profiles: ['dvl', 'dl'],
      beside,
      repeats: 1,
      seeds: [1],
    },
    2,
  ).split('\n');
  expect(lines[0]).toBe(
    'first-campaign: 1 rule × 2 transports × 3 loads beside the viewer × 2 profiles × 1 content × 1 repeat × 1 seed = 12 sessions',
  );
  expect(lines[1]).toContain('⌈2 ÷ 2⌉ × 6 arms');
  expect(lines[2]).toMatch(/^first pair, dvl\/demo\/0\/1: (\S+, ){5}\S+$/);
});

test('counts the numbers of ranges', () => {
  const changes = { rules: ['bola'], transports: ['h1' as const], split: [1, 6, 12], repeats: 1, seeds: [1] };
  expect(formatted(changes, 1)).toContain(': 1 rule × 1 transport × 3 counts of ranges × ');
});

test('counts pages and A/A labels', () => {
  const pages = ['own', 'new'].map((name) => ({ name, page: 'built' }));
  const one = { rules: ['bola'], transports: ['h2' as const], repeats: 1, seeds: [1] };
  expect(formatted({ ...one, pages, compare: 'pages' }, 1)).toContain(
    ': 1 rule × 1 transport × 2 pages × no emulated link × 1 content × 1 repeat × 1 seed = 2 sessions',
  );
  expect(formatted({ ...one, aaLabels: ['a', 'b', 'c'], compare: 'aaLabels' }, 1)).toContain(
    ': 1 rule × 1 transport × 3 A/A labels × no emulated link × 1 content × 1 repeat × 1 seed = 3 sessions',
  );
});

const lastLines = (changes: Partial<CampaignFile>, count: number): string[] =>
  formatted(changes, 1).split('\n').slice(-count);

test('says what a verdict would be about, and that repeats of one network are no networks', () => {
  const one = { profiles: ['dvl'], repeats: 10, seeds: [1] };
  expect(lastLines(one, 2)).toEqual([
    'about 10 repeats of one network (dvl)',
    '10 pairs, but 1 network: it has no random loss and every pair meets it alike, so the verdict can only be about repeats of it. The interval shows how well this lab repeats itself, not how networks differ.',
  ]);
  const drawn = { profile: 'udp-limiter', limitKbps: [64, 1000], count: 10 };
  expect(lastLines({ profiles: [drawn], infer: 'network', repeats: 3, seeds: [1] }, 3)).toEqual([
    expect.stringContaining(
      'possible. 6 comparisons of 10 networks (30 pairs) each: the smallest p after Holm is 6 × 2^(1−10) = 0.012',
    ),
    expect.stringMatching(
      /^power: a difference of 5 % is found with a chance of 80 %, if the differences of networks are normal with a standard deviation of at most 3\.\d %\. No spread is stated \(--spread\)$/,
    ),
    'about 10 networks drawn from udp-limiter with limitKbps 64 to 1000, the mean over 3 pairs on each',
  ]);
  expect(formatted({ profiles: [drawn], repeats: 1, seeds: [1] }, 1)).toMatch(
    / × 10 profiles × .* = 40 sessions/,
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

describe('pairs that are played again', () => {
  const again: Partial<CampaignFile> = {
    transports: ['h2', 'h3-only'],
    profiles: ['dvl', 'dl', 'dh'],
    repeats: 4,
    seeds: [1],
    seconds: 60,
    robustTo: { variants: ['rtt'] },
  };

  test('are counted, and so is their time', () => {
    const lines = formatted(again, 6).split('\n');
    expect(lines[0]).toMatch(/ = 24 sessions$/);
    expect(lines[1]).toBe(
      '9 min 20 s with 6 pairs at once: ⌈12 ÷ 6⌉ × 2 arms × 70 s (5 s lead-in + 60 s + 5 s to start and end) + ⌈8 ÷ 6⌉ × 2 arms × 70 s for the pairs that are played again',
    );
    expect(lines[2]).toBe('with round trips 15 % longer: 8 pairs again = 16 sessions more');
    expect(formatted({ ...again, blocks: 2 }, 6)).toContain('2 blocks, best on different days: ');
  });

  test('are said to be too few', () => {
    const robustTo: CampaignFile['robustTo'] = { variants: ['rtt'], pairs: 4 };
    expect(formatted({ ...again, robustTo }, 6)).toContain(
      '4 pairs again = 8 sessions more; it cannot tell anything, because a verdict needs 6 pairs\n',
    );
    const three: Partial<CampaignFile> = { ...again, robustTo, transports: ['h1', 'h2', 'h3-only'] };
    expect(formatted({ ...three, infer: 'network' }, 6)).toContain(
      'because a verdict needs 7 networks in each comparison',
    );
    expect(formatted({ ...again, per: 'network' }, 6)).toContain('12 pairs again = 24 sessions more');
  });

  test('without A/A sessions', () =>
    expect(formatted({ ...again, aaSessions: true }, 6)).toMatch(
      /⌈12 ÷ 6⌉ × 3 sessions × .* \+ ⌈8 ÷ 6⌉ × 2 arms × [^]*8 pairs again = 16 sessions more\n/,
    ));
});
