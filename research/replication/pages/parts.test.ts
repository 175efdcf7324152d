import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { resultsFile } from '../campaignFiles.ts';
import { formatParts } from './formatList.ts';
import type { PaperPart } from '../paperCampaign.ts';
import { readPartTables, stateOf, type PartTables } from './partState.ts';
import { papers } from '../papers.ts';
import { metricColumn } from '../../../experiment/report/model/metricTables.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import type { Metric } from '../../../src/analysis/metrics/metric.ts';
import type { KnownSession } from '../../../src/analysis/prediction.ts';
import { parseCsv } from '../../../src/shared/csv.ts';
import { pick } from '../../../src/shared/registry.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const there = (file: string): boolean => existsSync(path.join(root, file));

/** Tables and figures that are empty in the committed results, by paper. */
const EMPTY: Readonly<Record<string, readonly string[]>> = {
  '2024-racing': ['Fig. 5b', 'Fig. 16'],
};

describe.each(papers)('the tables and figures of $id', async ({ id: paper, campaigns, parts }) => {
  const ids = campaigns.map(({ id }) => id);
  const tables = await readPartTables(root, parts);

  test('are named once, each with what it shows', () => {
    const names = parts.map(({ part }) => part);
    expect(new Set(names).size).toBe(names.length);
    for (const { part, shows } of parts) {
      expect(part).toMatch(/^(Table|Tables|Fig\.|Figs\.|Section|Sections) /);
      expect(shows.length).toBeLessThanOrEqual(80);
      expect(shows).toMatch(/[^.]$/);
    }
  });

  test('name campaigns of the paper, and every campaign is named', () => {
    const named = parts.flatMap(({ by }) => ('campaigns' in by ? by.campaigns : []));
    expect(named.filter((id) => !ids.includes(id))).toEqual([]);
    expect(ids.filter((id) => !named.includes(id))).toEqual([]);
  });

  test('name files that exist, and a sentence where nothing plays them', () => {
    for (const { by } of parts) {
      if ('reason' in by) expect(by.reason).toMatch(/^[A-Z].*\.$/);
      if ('missing' in by) expect(by.missing).toMatch(/^[A-Z].*\.$/);
      if (!('command' in by)) continue;
      expect(by.command).toMatch(/^(pitwall|npm run bench|npx|pitwall-load|python3) ?/);
      for (const file of by.command.match(/\S+\.(json|mjs|py|ts)\b/g) ?? []) expect(file).toSatisfy(there);
      if (by.results !== undefined) expect(by.results).toSatisfy(there);
    }
  });

  test('have a state, and a stand-in says what differs', () => {
    for (const part of parts) {
      const { state, why } = stateOf(part, tables);
      expect(why === '', part.part).toBe(state === 'as in the paper');
      if (state === 'stand-in' || state === 'built') expect(part.differs ?? '', part.part).toMatch(/\.$/);
      if ('campaigns' in part.by || ('command' in part.by && part.by.results?.endsWith('.csv')))
        expect([part.part, part.quantity !== undefined]).toEqual([part.part, part.isInput === undefined]);
    }
  });

  test('are empty where one value is in all rows of the committed tables', () => {
    const empty = parts.filter((part) => stateOf(part, tables).state === 'empty');
    expect(empty.map(({ part }) => part)).toEqual(EMPTY[paper] ?? []);
    for (const { quantity, by } of parts) {
      if (quantity === undefined || !('campaigns' in by)) continue;
      const cells = by.campaigns.flatMap((id) => committedCells(id, quantity));
      const isEmpty = empty.some((each) => each.by === by && each.quantity === quantity);
      if (by.campaigns.some((id) => tables.has(id))) expect(new Set(cells).size <= 1).toBe(isEmpty);
    }
  });

  test.each([80, 120])('fit %s columns', (columns) => {
    for (const line of formatParts({ parts }, tables, columns).split('\n'))
      expect(line.length <= columns || !line.trim().includes(' ')).toBe(true);
  });
});

/** The cells of a quantity in a committed table, as text: what `readPartTables` reads, by another way. */
function committedCells(
  campaign: string,
  { metric, transport }: NonNullable<PaperPart['quantity']>,
): string[] {
  const file = resultsFile(root, campaign, 'csv');
  if (!existsSync(file)) return [];
  const [names = [], ...rows] = parseCsv(readFileSync(file, 'utf8'));
  const column = names.indexOf(metricColumn(pick<Metric>(metrics, metric)).label);
  const of = (row: readonly string[], name: string): string | undefined => row[names.indexOf(name)];
  return rows
    .filter((row) => of(row, 'state') === 'finished' && of(row, 'A/A') !== 'A/A')
    .filter((row) => transport === undefined || of(row, 'transport') === transport)
    .flatMap((row) => row[column] || []);
}

describe('the state of a table or figure', () => {
  const part = (by: PaperPart['by'], rest: Partial<PaperPart> = {}): PaperPart => ({
    part: 'Table 1',
    shows: 'a thing',
    by,
    ...rest,
  });
  const session = (arm: string, share: number | null): KnownSession => ({
    id: `${arm}-${share}`,
    arm,
    network: 'dvl',
    values: { 'tcp-share-later': share },
    machine: null,
  });
  const tables: PartTables = new Map([
    ['b', [session('bola/h3-racing', 0), session('bola/h2', 100)]],
    ['x.csv', [0, 0, 0, 0, 0, 0, 0, 0, 0, 3].map((share) => session('bola/h3-racing', share))],
  ]);
  const quantity = { metric: 'tcp-share-later', transport: 'h3-racing' };
  const differs = 'One host.';

  test.each([
    [part({ campaigns: ['b'] }), 'as in the paper', ''],
    [part({ campaigns: ['a', 'b'] }, { differs }), 'stand-in', '1 of 2 campaigns played. One host.'],
    [part({ campaigns: ['b'] }, { differs, quantity: { metric: quantity.metric } }), 'stand-in', differs],
    [
      part({ campaigns: ['b'] }, { differs, quantity }),
      'empty',
      'TCP share after discovery is 0 % in all 1 sessions of h3-racing.',
    ],
    [
      part({ campaigns: ['b'] }, { differs, quantity: { metric: 'seek-wait' } }),
      'empty',
      'No session has a wait after seek.',
    ],
    [
      part({ command: 'pitwall sim', results: 'x.csv' }, { differs, quantity }),
      'stand-in',
      'One host. TCP share after discovery is 0 % in 9 of 10 sessions of h3-racing.',
    ],
    [part({ campaigns: ['a'] }, { differs }), 'built', differs],
    [part({ command: 'pitwall sim' }, { differs }), 'built', differs],
    [part({ missing: 'A pcap reader.' }), 'not built', 'A pcap reader.'],
    [part({ reason: 'It is a drawing.' }), 'not possible', 'It is a drawing.'],
  ])('%#: $1', (each, state, why) => {
    expect(stateOf(each, tables)).toEqual({ state, why });
  });

  test('is written beside its command, and counted', () => {
    const parts = [
      part({ campaigns: ['a', 'b'] }, { differs }),
      part({ reason: 'It is a drawing.' }, { note: 'n' }),
    ];
    expect(formatParts({ parts }, tables, 80).split('\n')).toEqual([
      'Tables and figures, some of them together: 0 as in the paper, 1 stand-in, 0',
      'empty, 0 built, 0 not built, 1 not possible.',
      'Table 1  a thing',
      '         stand-in: 1 of 2 campaigns played. One host.',
      '         pitwall papers run a: not played',
      '         pitwall papers run b: played',
      'Table 1  a thing',
      '         not possible: It is a drawing.',
      '         (n)',
    ]);
  });
});
