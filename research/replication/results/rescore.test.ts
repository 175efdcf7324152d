import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AGGREGATE_SCHEMA, type Aggregate } from './aggregate.ts';
import { aggregateOf, formatAggregate } from './aggregatePapers.ts';
import { campaignFiles, resultsFile } from '../campaignFiles.ts';
import { formatPlayedAgain } from '../pages/formatPlayedAgain.ts';
import { formatRescored } from '../pages/formatRescored.ts';
import { paperCampaigns, papers } from '../papers.ts';
import { rescored } from './rescore.ts';
import { readPaperCampaign, sizeOf } from '../readPaperCampaign.ts';
import { exampleSource } from '../../../experiment/report/figures/exampleSource.testing.ts';
import { reportModel } from '../../../experiment/report/model/reportModel.ts';
import { sessionsCsv } from '../../../experiment/report/text/reportData.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string, end: 'json' | 'csv'): string =>
  readFileSync(resultsFile(root, name, end), 'utf8');
const played = paperCampaigns.map(({ id }) => id).filter((id) => existsSync(resultsFile(root, id, 'json')));
/** Results of version 2 and earlier, published before a verdict had two statements. Others have no earlier verdicts. */
const PUBLISHED_BEFORE = [
  '2024-racing-dvl',
  '2024-racing-limiter',
  '2020-letter-figs-2-5',
  '2020-letter-own-senders',
  '2018-thesis-table-10',
  '2018-thesis-table-10-own-senders',
];
const playedBefore = played.filter((id) => PUBLISHED_BEFORE.includes(id));
const playedSince = played.filter((id) => !PUBLISHED_BEFORE.includes(id));
const committed = (name: string): Aggregate => JSON.parse(read(name, 'json')) as Aggregate;

/** Returns an aggregate without prose: another wording is no other result. */
function numbersOf(aggregate: Aggregate) {
  const { verdicts, exploratory, byNetwork, figures, arms } = JSON.parse(
    formatAggregate(aggregate),
  ) as Aggregate;
  return {
    verdicts: verdicts.map(({ sentence: _, leftOut: _left, ...line }) => line),
    exploratory: exploratory.rows,
    byNetwork: byNetwork?.rows,
    figures,
    arms,
  };
}

describe.each(played)('the results of %s', (name) => {
  test('are what this version computes from the metrics of their sessions', () => {
    const again = rescored(committed(name), read(name, 'csv'), name);
    expect(numbersOf(again)).toEqual(numbersOf(committed(name)));
  });
});

test('all results from before a verdict had two statements are there', () =>
  expect(playedBefore).toEqual(PUBLISHED_BEFORE));

describe.each(playedBefore)('the results of %s, which were published before', (name) => {
  test('keep what was first published', () => {
    for (const { earlier, interval } of committed(name).verdicts) {
      expect(['better', 'worse', 'equivalent', 'cannot-tell']).toContain(earlier!.verdict);
      expect(earlier!.interval).toHaveLength(2);
      expect(earlier!.interval).not.toEqual(interval);
    }
  });
});

describe.each(playedSince)('the results of %s, first published with two statements', (name) => {
  const labels = ({ exploratory }: Aggregate) => exploratory.columns.map(({ label }) => label);

  test('were registered before they were played', () => {
    const { schema, registration, definitions } = committed(name);
    expect(schema).toBe(AGGREGATE_SCHEMA);
    expect(definitions).toBeGreaterThanOrEqual(2);
    expect(registration).toMatchObject({ isChanged: false });
  });

  test('have no other verdict, and none after they are scored again', () => {
    for (const results of [committed(name), rescored(committed(name), read(name, 'csv'), name)]) {
      expect(results.verdicts.map((line) => 'earlier' in line)).not.toContain(true);
      expect(results.verdicts.map(({ judgement }) => judgement)).not.toContain(null);
      expect(labels(results).filter((label) => label.includes('first published'))).toEqual([]);
    }
  });

  test('have the A/A sessions that their campaign plays, and each verdict what these resolve', async () => {
    const { aa, losslessNetworks = [], verdicts } = committed(name);
    const { aaSessions = false } = await readPaperCampaign(campaignFiles(root, { id: name }).scaled);
    expect(aa !== undefined).toBe(aaSessions);
    for (const { resolution, won, lost, tied, pairs } of verdicts) {
      // Where every network loses packets at random, there are no ties, and nothing to resolve.
      expect(resolution?.pairs ?? null).toBe(losslessNetworks.length > 0 ? losslessNetworks.length : null);
      expect(won! + lost! + tied!).toBe(pairs.compared);
    }
  });
});

const [name] = playedBefore as [string];

test('a figure of the verdicts has their intervals', () => {
  const { figures, verdicts } = committed(name);
  const figure = figures.find(({ id }) => id.startsWith('paired-'))!;
  const [from, verdict] = [figure.columns.indexOf('from'), figure.columns.indexOf('verdict')];
  expect(figure.rows.map((row) => row[from])).toEqual(verdicts.map(({ interval }) => interval![0]));
  expect(figure.rows.map((row) => row[verdict])).toEqual(verdicts.map((line) => line.verdict));
});

describe('refuses in one sentence', () => {
  test('a CSV file of other sessions', () => {
    const [head, ...rows] = read(name, 'csv').trimEnd().split('\r\n');
    const fewer = [head, ...rows.slice(1)].join('\r\n');
    expect(() => rescored(committed(name), fewer, 'some.json')).toThrow(
      `some.json: The CSV file beside it has ${rows.length - 1} sessions, and the campaign plans ${rows.length}, 1 of which are not in it.`,
    );
    expect(sizeOf(committed(name).campaign, 1).sessions).toBe(rows.length);
  });

  test('a CSV file with another value', () => {
    const value = /,(\d+\.\d{6,})/.exec(read(name, 'csv').split('\r\n')[1]!)![1]!;
    const other = read(name, 'csv').replace(value, String(Number(value) + 1));
    expect(() => rescored(committed(name), other, 'some.json')).toThrow(
      'some.json: /verdicts/1: The differences of its pairs are not those of the CSV file beside it.',
    );
  });
});

const reproductions = played.map((id) => ({
  campaign: paperCampaigns.find((each) => each.id === id)!,
  scaled: committed(id).campaign,
  full: committed(id).campaign,
  results: { scaled: committed(id), full: null },
}));

test('the page of all verdicts has each of them, old and new', () => {
  const text = formatRescored(reproductions);
  const count = played.reduce((sum, id) => sum + committed(id).verdicts.length, 0);
  expect(text).toMatch(new RegExp(`^${count} verdicts\\. As first published: `));
  expect(text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(count + 2);
  const rows = text.split('\n').filter((line) => line.includes(' | as now | – | '));
  const since = playedSince.reduce((sum, id) => sum + committed(id).verdicts.length, 0);
  expect(rows).toHaveLength(since);
});

describe('the table of what was played again', () => {
  const [head, , ...rows] = formatPlayedAgain(reproductions)
    .split('\n')
    .map((line) => line.split('|').map((cell) => cell.trim()));
  const column = (label: string) => rows.map((cells) => cells[head!.indexOf(label)]);

  test.each(['dvl', 'limiter'])('has every verdict of %s beside that on drawn networks', (network) => {
    const [before, again] = [`2024-racing-${network}`, `2024-racing-${network}-drawn`];
    const own = rows.filter((cells) => cells.includes(before));
    expect(own.every((cells) => cells.includes(again))).toBe(true);
    expect(own).toHaveLength(committed(before).verdicts.length);
    committed(before).verdicts.forEach(({ comparison, earlier, judgement }, place) => {
      const cells = own[place]!;
      expect(cells[1]).toBe(`${comparison.first} against ${comparison.second}, ${comparison.network}`);
      expect(cells[2]).toBe(earlier!.verdict);
      if (judgement!.direction !== 'cannot-tell') expect(cells[5]).toContain(`${judgement!.direction}, `);
      const other = committed(again).verdicts.find(
        (line) =>
          line.comparison.firstArm === comparison.firstArm &&
          line.comparison.secondArm === comparison.secondArm,
      )!;
      expect(cells.at(-2)).toBe(String(other.tied));
      expect(cells.at(-3)).toBe(other.sensitivity![5]);
    });
  });

  test('says on how many networks each stands', () => {
    expect(new Set(column('old: networks').slice(0, 6))).toEqual(new Set(['1, repeated 10 times']));
    expect(new Set(column('new: networks').slice(0, 6))).toEqual(new Set(['10']));
  });

  test('has nothing where an older campaign has no results', () => {
    const alone = reproductions.filter(({ campaign }) => campaign.playsAgain !== undefined);
    expect(formatPlayedAgain(alone)).toBe('No results yet.');
  });
});

test.each(paperCampaigns.flatMap(({ id, playsAgain = [] }) => playsAgain.map((older) => [id, older])))(
  '%s plays %s again, which is a campaign of the same paper',
  (id, older) => {
    const paper = papers.find(({ campaigns }) => campaigns.some((each) => each.id === id))!;
    expect(paper.campaigns.map((each) => each.id)).toContain(older);
    expect(older).not.toBe(id);
  },
);

test('results with A/A sessions are scored again with the same resolution, which makes no tie', () => {
  const made = exampleSource(
    {
      rules: ['throughput'],
      transports: ['h2', 'h3-only'],
      aaSessions: true,
      infer: 'network',
      profiles: [{ profile: 'udp-limiter', count: 12, limitKbps: [64, 1000] }],
    },
    ({ transport, design }, index) => ({
      // Half of the networks differ by less than two sessions of one arm do.
      values: {
        'mean-bitrate':
          1000 + (transport === 'h2' ? 0 : index % 2 === 0 ? 4 : 90) + (design.arm.endsWith('A/A') ? 10 : 0),
      },
    }),
  );
  const outcomes = made.plan.sessions.map(({ id }) => ({
    id,
    state: 'finished' as const,
    why: null,
    failedTries: [],
    discarded: null,
  }));
  const source = { ...made, outcomes };
  const model = reportModel(source);
  const aggregate = JSON.parse(formatAggregate(aggregateOf(source, model))) as Aggregate;
  const again = rescored(aggregate, sessionsCsv(model), 'made up');
  expect(aggregate.losslessNetworks).toHaveLength(12);
  expect(again.verdicts[0]!.tied).toBe(
    aggregate.verdicts[0]!.differences.filter((each) => each === 0).length,
  );
  expect(again.verdicts[0]).toMatchObject({ resolution: { pairs: 12, isPercent: true } });
  const [line, before] = [again, aggregate].map(({ verdicts: [first] }) => first!);
  expect(line!.p).toBeCloseTo(before!.p!, 6);
  for (const field of ['won', 'lost', 'tied', 'judgement'] as const)
    expect(line![field]).toEqual(before![field]);
});
