import { expect, test } from 'vitest';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import { columnNames } from '../reportTable.ts';
import { reportHtml } from '../html/reportHtml.ts';
import { parseCsv } from '../../../src/shared/csv.ts';
import { reportCsv, sessionsCsv } from '../text/reportData.ts';
import { reportMarkdown } from '../text/markdown.ts';
import { reportModel } from './reportModel.ts';
import { steeringTable } from './metricTables.ts';

const steering = { main: 'main', steps: [], limits: [] };
const campaign = {
  steering: ['browser', 'throughput'],
  compare: 'steering' as const,
  repeats: 2,
  profiles: ['limit-1000'],
};

test('means by arm, and how many sessions have a time', () => {
  const source = exampleSource({ ...campaign, transports: ['h3-racing'] }, ({ design }) => ({
    steering,
    values: design.arm.endsWith('browser')
      ? { 'pathway-switches': 0, 'time-to-leave': null, 'time-to-return': null }
      : { 'pathway-switches': 2 + design.repeat, 'time-to-leave': design.repeat === 0 ? 3 : null },
  }));
  const table = steeringTable(source)!;
  expect(columnNames(table)).toEqual([
    ...['arm', 'network', 'sessions', 'pathway switches'],
    ...['time to leave, s, mean', 'time to leave, s, sessions'],
  ]);
  expect(table.rows).toEqual([
    ['throughput/h3-racing/browser', 'limit-1000', 2, 0, null, 0],
    ['throughput/h3-racing/throughput', 'limit-1000', 2, 2.5, 3, 1],
  ]);
  const model = reportModel(source);
  expect(reportHtml(model, { styles: '', logAddress: null })).toContain(table.title);
  expect(reportMarkdown(model)).toContain('| throughput/h3-racing/throughput | limit-1000 | 2 |');
  expect([...reportCsv(model).keys()]).toContain('steering.csv');
});

test('the table of sessions has the policy of each; the page shows the metrics under their own names', () => {
  const made = { ...campaign, transports: ['h3-racing' as const], aaSessions: true };
  const model = reportModel(exampleSource(made, () => ({ steering, values: { 'mean-bitrate': 1234 } })));
  const [names = [], ...rows] = parseCsv(sessionsCsv(model));
  const place = names.indexOf('steering');
  expect(rows.map((row) => row[place]).sort()).toEqual([
    ...Array<string>(rows.length / 2).fill('browser'),
    ...Array<string>(rows.length / 2).fill('throughput'),
  ]);
  const html = reportHtml(model, { styles: '', logAddress: null });
  const [, table = ''] = /<section class="table" id="sessions">([^]*?)<\/section>/.exec(html) ?? [];
  const labels = [...table.matchAll(/<th(?: [^>]*)?>([^<]*)/g)].map(([, label]) => label);
  expect(labels.slice(0, 6)).toEqual(['session', 'A/A', 'pair', 'state', 'why', 'mean bitrate, kbit/s']);
});

test('a campaign in which nothing chose has no such table, and no word about its figure', () => {
  const source = exampleSource({}, () => ({ values: { 'pathway-switches': null } }));
  expect(steeringTable(source)).toBeNull();
  const model = reportModel(source);
  expect(model).not.toHaveProperty('steering');
  expect(model.undrawn).not.toContain('Pathways over time');
});
