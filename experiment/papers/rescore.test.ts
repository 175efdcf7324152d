import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { AGGREGATE_SCHEMA, upgradeAggregate, type Aggregate } from './aggregate.ts';
import { aggregateOf, formatAggregate } from './aggregatePapers.ts';
import { resultsFile } from './campaignFiles.ts';
import { formatResults } from './formatResults.ts';
import { formatRescored } from './formatRescored.ts';
import { paperCampaigns } from './papers.ts';
import { rescored } from './rescore.ts';
import { sizeOf } from './readPaperCampaign.ts';
import { exampleSource } from '../../src/report/figures/exampleSource.testing.ts';
import { reportModel } from '../../src/report/model/reportModel.ts';
import { sessionsCsv } from '../../src/report/text/reportData.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (name: string, end: 'json' | 'csv'): string =>
  readFileSync(resultsFile(root, name, end), 'utf8');
const played = paperCampaigns.map(({ id }) => id).filter((id) => existsSync(resultsFile(root, id, 'json')));
const committed = (name: string): Aggregate => JSON.parse(read(name, 'json')) as Aggregate;

/** The results as version 2 published them. */
function older({ byNetwork: _, verdicts, ...rest }: Aggregate): unknown {
  const lines = verdicts.map(({ earlier, ...line }) => {
    const { judgement, ratio, leaveOneOut, margin, detectable, sensitivity, ...old } = line;
    expect([judgement, ratio, leaveOneOut, margin, detectable, sensitivity]).not.toContain(undefined);
    return { ...old, verdict: earlier!.verdict, interval: earlier!.interval };
  });
  return { ...rest, schema: 'pitwall-aggregate/2', verdicts: lines };
}

/** Without prose: another wording is no other result. */
function numbersOf(aggregate: Aggregate) {
  const { verdicts, exploratory, byNetwork, figures, arms } = JSON.parse(
    formatAggregate(aggregate),
  ) as Aggregate;
  return {
    verdicts: verdicts.map(({ sentence: _, leftOut: _left, ...line }) => line),
    ...{ exploratory: exploratory.rows, byNetwork: byNetwork?.rows, figures, arms },
  };
}

const upgraded = (name: string): Aggregate => upgradeAggregate(older(committed(name))) as Aggregate;

describe.each(played)('the results of %s', (name) => {
  test('are what this version computes from the metrics of their sessions', () => {
    const again = rescored(committed(name), read(name, 'csv'), name);
    expect(numbersOf(again)).toEqual(numbersOf(committed(name)));
  });

  test('are the same from results of the version before, whose verdicts stay beside them', () => {
    const again = rescored(upgraded(name), read(name, 'csv'), name);
    expect(again.schema).toBe(AGGREGATE_SCHEMA);
    expect(again.needsRescore).toBeUndefined();
    const [now, kept] = [numbersOf(again), numbersOf(committed(name))].map(({ verdicts, ...rest }) => ({
      ...rest,
      verdicts: verdicts.map(({ earlier, ...line }) => ({ ...line, earlier: { ...earlier, schema: '' } })),
    }));
    expect(now).toEqual(kept);
    expect(again.verdicts.every(({ earlier }) => earlier?.schema === 'pitwall-aggregate/2')).toBe(true);
  });

  test('keep what was first published', () => {
    for (const { earlier, interval } of committed(name).verdicts) {
      expect(['better', 'worse', 'equivalent', 'cannot-tell']).toContain(earlier!.verdict);
      expect(earlier!.interval).toHaveLength(2);
      expect(earlier!.interval).not.toEqual(interval);
    }
  });
});

const [name] = played as [string];

test('results of the version before are read, and say that they are not scored yet', () => {
  const aggregate = upgraded(name);
  expect(aggregate.verdicts[0]).toMatchObject({ judgement: null, verdict: null, interval: null });
  const paper = paperCampaigns.find(({ id }) => id === name)!;
  const text = formatResults(paper, aggregate);
  expect(text).toContain('as an older version scored it');
  expect(text).toContain('pitwall papers rescore');
  expect(text).not.toMatch(/undefined|NaN/);
});

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

test('the page of all verdicts has each of them, old and new', () => {
  const reproductions = played.map((id) => ({
    ...{ campaign: paperCampaigns.find((each) => each.id === id)! },
    ...{ scaled: committed(id).campaign, full: committed(id).campaign },
    results: { scaled: committed(id), full: null },
  }));
  const text = formatRescored(reproductions);
  const count = played.reduce((sum, id) => sum + committed(id).verdicts.length, 0);
  expect(text).toMatch(new RegExp(`^${count} verdicts\\. As first published: `));
  expect(text.split('\n').filter((line) => line.startsWith('| '))).toHaveLength(count + 2);
});

test('results with A/A sessions are scored again with the same ties', () => {
  const made = exampleSource(
    {
      ...{ rules: ['throughput'], transports: ['h2', 'h3-only'], aaSessions: true, infer: 'network' },
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
    ...{ id, state: 'finished' as const, why: null, failedTries: [], discarded: null },
  }));
  const source = { ...made, outcomes };
  const model = reportModel(source);
  const aggregate = JSON.parse(formatAggregate(aggregateOf(source, model))) as Aggregate;
  const again = rescored(aggregate, sessionsCsv(model), 'made up');
  expect(aggregate.losslessNetworks).toHaveLength(12);
  expect(again.verdicts[0]!.tied).toBeGreaterThan(0);
  expect(again.verdicts[0]).toMatchObject({ resolution: { pairs: 12, isPercent: true } });
  const [line, before] = [again, aggregate].map(({ verdicts: [first] }) => first!);
  expect(line!.p).toBeCloseTo(before!.p!, 6);
  for (const field of ['won', 'lost', 'tied', 'judgement'] as const)
    expect(line![field]).toEqual(before![field]);
});
