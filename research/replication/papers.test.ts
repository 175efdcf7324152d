import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import type { Aggregate } from './results/aggregate.ts';
import { campaignFiles, resultsFile, runName } from './campaignFiles.ts';
import { formatPages } from './pages/writePages.ts';
import { claimsOf, inTurn, paperCampaigns, papers } from './papers.ts';
import { planWithoutTraces, readPaperCampaign, sizeOf, tracesMissing } from './readPaperCampaign.ts';
import { metrics } from '../../src/analysis/metrics/registry.ts';
import type { CampaignFile } from '../../experiment/design/campaignFile.ts';
import { campaignFaults } from '../../experiment/design/campaignFaults.ts';
import { faultOfRule } from '../../experiment/resolve/faultOfRule.ts';
import { networkNames } from '../../experiment/design/networks.ts';
import { declaredComparisons } from '../../experiment/verdict/comparisons.ts';
import { verdictReach } from '../../experiment/verdict/verdictReach.ts';
import { faultOfPreset } from '../../src/player/presets.ts';
import { faultsOf } from '../../src/shared/registry.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const known = {
  faultOfPreset,
  contents: [],
  browsers: [],
  faultOfRule,
};
const both = paperCampaigns.flatMap((campaign) =>
  ([false, true] as const).map((isFull) => ({
    campaign,
    isFull,
    name: runName(campaign.id, isFull),
    file: campaignFiles(root, campaign)[isFull ? 'full' : 'scaled'],
  })),
);

/** Sessions, and hours with five pairs at once: what campaigns/README.md and issue say of them. */
const SIZES: Readonly<Record<string, readonly [number, number]>> = {
  '2024-racing-dvl': [30, 0.517],
  '2024-racing-limiter': [30, 0.317],
  '2024-racing-dvl-drawn': [40, 0.689],
  '2024-racing-limiter-drawn': [40, 0.422],
  '2024-racing-dh-dl': [60, 3.233],
  '2024-racing-idle': [60, 0.95],
  '2020-letter-figs-2-5': [60, 0.673],
  '2020-letter-own-senders': [60, 0.673],
  '2020-letter-households': [140, 1.571],
  '2019-parameters-table-3': [30, 0.337],
  '2019-parameters-table-4': [30, 0.337],
  '2019-parameters-table-4-beside': [30, 0.337],
  '2019-parameters-table-5': [120, 1.347],
  '2019-parameters-table-5-beside': [60, 0.673],
  '2018-thesis-tables-8-9': [40, 1.356],
  '2018-thesis-tables-8-9-drawn': [32, 1.356],
  '2018-thesis-tables-8-9-buffer': [36, 1.525],
  '2018-thesis-table-10': [60, 0.833],
  '2018-thesis-table-10-own-senders': [60, 0.833],
  '2018-thesis-table-10-both-senders': [140, 1.944],
  '2017-deployment-table-1': [100, 0.417],
};

describe('the registry', () => {
  test('has papers and campaigns with ids and labels', () => {
    expect(faultsOf(papers)).toEqual([]);
    expect(faultsOf(paperCampaigns)).toEqual([]);
    expect(Object.keys(SIZES).sort()).toEqual(paperCampaigns.map(({ id }) => id).sort());
  });

  test('is what lies in campaigns/', () => {
    const there = readdirSync(path.join(root, 'campaigns')).filter((name) => name.endsWith('.json'));
    expect(there.sort()).toEqual(both.map(({ file }) => path.basename(file)).sort());
  });

  test('plays six scaled campaigns in turn, equal senders first, in under four hours', async () => {
    expect(inTurn.map(({ place }) => place)).toEqual([1, 2, 3, 4, 5, 6]);
    const sizes = await Promise.all(
      inTurn.map(async (each) => sizeOf(await readPaperCampaign(campaignFiles(root, each).scaled), 5)),
    );
    const hours = sizes.map(({ totalMs }) => totalMs / 3_600_000);
    expect(hours.slice(0, 4).reduce((sum, each) => sum + each)).toBeLessThan(2.4);
    expect(hours.reduce((sum, each) => sum + each)).toBeLessThan(4);
  });
});

describe.each(both)('$name', ({ campaign: paper, isFull, name, file }) => {
  const read = (): Promise<CampaignFile> => readPaperCampaign(file);

  test('is a campaign of known things, and named as its file', async () => {
    const campaign = await read();
    expect(campaignFaults(campaign, known)).toEqual([]);
    expect(campaign.name).toBe(name);
    expect(campaign.origin).toBe('instrumented');
  });

  test('can come to a verdict', async () => {
    expect(verdictReach(await read())).toMatchObject({ isWithinReach: true });
  });

  test('declares what the paper’s claims compare, on known metrics', async () => {
    const campaign = await read();
    const declared = declaredComparisons(planWithoutTraces(campaign)).map((each) => keyOf(each));
    for (const claim of paper.claims) {
      expect(metrics.map(({ id }) => id)).toContain(claim.metric);
      if (claim.network === null || campaign.profiles.includes(claim.network))
        expect(declared).toContain(keyOf(campaign.per === 'network' ? claim : { ...claim, network: null }));
      else expect(isFull).toBe(false);
    }
    for (const id of paper.metrics) expect(metrics.map((each) => each.id)).toContain(id);
  });

  test('has results of itself as it is now, or none', async () => {
    const results = resultsFile(root, name, 'json');
    if (!existsSync(results)) return;
    const text = readFileSync(results, 'utf8');
    const { campaign, counts } = JSON.parse(text) as Aggregate;
    expect(campaign).toEqual(await read());
    expect(text).not.toMatch(/"\/(?:home|root|tmp|work|Users)\//);
    const rows = readFileSync(resultsFile(root, name, 'csv'), 'utf8')
      .trimEnd()
      .split('\r\n');
    expect(rows).toHaveLength(1 + counts.planned);
  });
});

test.each(Object.entries(SIZES))('%s is as large as is said', async (id, size) => {
  const { sessions, totalMs } = sizeOf(await readPaperCampaign(campaignFiles(root, { id }).scaled), 5);
  expect([sessions, Number((totalMs / 3_600_000).toFixed(3))]).toEqual(size);
});

test.each(paperCampaigns)('$id at full length differs in counts only, and is larger', async (paper) => {
  const files = campaignFiles(root, paper);
  const [scaled, full] = [await readPaperCampaign(files.scaled), await readPaperCampaign(files.full)];
  const rest = (campaign: CampaignFile) =>
    Object.entries(campaign).filter(([field]) => !COUNTS.includes(field));
  expect(rest(full)).toEqual(rest(scaled));
  for (const list of ['rules', 'transports', 'controllers', 'beside'] as const)
    expect(full[list]).toEqual(expect.arrayContaining([...(scaled[list] ?? [])]));
  // A larger count of drawn networks keeps those of the smaller one.
  expect(networkNames(full)).toEqual(expect.arrayContaining(networkNames(scaled)));
  expect(full.seconds).toBeGreaterThanOrEqual(scaled.seconds);
  expect(full.repeats).toBeGreaterThanOrEqual(scaled.repeats);
  expect(sizeOf(full, 5).totalMs).toBeGreaterThan(sizeOf(scaled, 5).totalMs);
});

const COUNTS = ['name', 'rules', 'transports', 'controllers', 'profiles', 'repeats', 'seconds'];

const keyOf = ({
  first,
  second,
  within,
  network,
}: Record<'first' | 'second' | 'within', string> & { network: string | null }) =>
  [first, second, within, network ?? 'all'].join(' ');

describe('docs', () => {
  test('hold what the committed results say', async () => {
    const texts = await formatPages(root);
    // The overview and the page of all verdicts.
    expect(texts.size).toBe(papers.length + 2);
    for (const [file, text] of texts) await expect(text).toMatchFileSnapshot(file);
  });

  test('name only campaigns that are there', () => {
    const files = [
      'campaigns/README.md',
      ...readdirSync(path.join(root, 'research/papers')).map((name) => `research/papers/${name}`),
    ];
    const named = files.flatMap((file) => {
      const text = readFileSync(path.join(root, file), 'utf8');
      return [
        ...text.matchAll(/(?:papers run|runs\/|campaigns\/|results of|end of) ?(20\d\d-[a-z0-9-]+)/g),
      ].map(([, name]) => name!.replace(/-full$/, ''));
    });
    expect(named.length).toBeGreaterThan(20);
    expect([...new Set(named)].filter((name) => !paperCampaigns.some(({ id }) => id === name))).toEqual([]);
  });
});

describe('traces', () => {
  test('that are not there are reported in one sentence', () => {
    const profiles = ['dvl', 'trace:../nowhere/one', 'trace:../nowhere/two'];
    expect(tracesMissing('campaigns/some.json', { profiles })).toBe(
      'campaigns/some.json: /profiles: trace:../nowhere/one: There is no such file (relative to campaigns).',
    );
    expect(tracesMissing('campaigns/some.json', { profiles: ['dvl'] })).toBeNull();
  });
});

const [campaign] = paperCampaigns;
const changed = (changes: object): string | null =>
  claimsOf(campaign!.id, [
    { ...campaign!, claims: campaign!.claims.map((claim) => ({ ...claim, ...changes })) },
  ]);

test('the claims of a campaign are one text, of both of its lengths, and other claims another', () => {
  const text = claimsOf(campaign!.id)!;
  expect(text).toContain(campaign!.claims[0]!.expects);
  expect(claimsOf(`${campaign!.id}-full`)).toBe(text);
  expect(changed({ expects: 'no difference' })).not.toBe(text);
  expect(changed({ says: 'the same in other words' })).toBe(text);
  expect(claimsOf('first-campaign')).toBeNull();
  expect(claimsOf(campaign!.id, [{ ...campaign!, claims: [] }])).toBeNull();
});
