import { describe, expect, test } from 'vitest';
import { reportModel } from './reportModel.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import { reportHtml } from '../html/reportHtml.ts';
import { reportCsv, sessionsCsv } from '../text/reportData.ts';
import { reportMarkdown } from '../text/markdown.ts';
import { isAaSession } from '../../factors/arms.ts';
import { parseCsv } from '../../../src/shared/csv.ts';

/** h2 at 1000 kbit/s and h3-only at 1100, and A/A sessions 10 kbit/s above or below. */
const source = exampleSource({ repeats: 12, aaSessions: true, profiles: ['example-1000'] }, (session) => ({
  values: {
    'mean-bitrate':
      (session.transport === 'h2' ? 1000 : 1100) +
      (isAaSession(session) ? (session.design.repeat % 4 < 2 ? 10 : -10) : 0),
  },
}));
const model = reportModel(source);

describe('two sessions of the same arm', () => {
  test('are compared over all transports together, where the resolution is known first', () => {
    const [all] = model.aa!.rows;
    expect(all!.slice(0, 5)).toEqual(['mean bitrate', 'kbit/s', 'all', 'without random loss', 12]);
    expect(all!.at(-1)).toBeCloseTo(model.verdicts[0]!.resolution!.value, 9);
  });

  test('are compared by transport, the second less the first', () => {
    const rows = model.aa!.rows.filter(([metric, , by]) => metric === 'mean bitrate' && by !== 'all');
    expect(rows.map((row) => row.slice(0, 5))).toEqual([
      ['mean bitrate', 'kbit/s', 'h2', 'without random loss', 6],
      ['mean bitrate', 'kbit/s', 'h3-only', 'without random loss', 6],
    ]);
    for (const [, , transport, , , mean, difference, from, to, within, percent] of rows) {
      expect(mean).toBeCloseTo((transport === 'h2' ? 1000 : 1100) + Number(difference) / 2, 9);
      expect(Number(from)).toBeLessThanOrEqual(Number(difference));
      expect(Number(to)).toBeGreaterThanOrEqual(Number(difference));
      expect(within).toBe(10);
      expect(percent).toBeCloseTo(transport === 'h2' ? 1000 / 990 : 1000 / 1090, 9);
    }
  });

  test('count in no mean and no verdict, but as finished and used', () => {
    const [line] = model.verdicts;
    expect(line).toMatchObject({ difference: 100, won: 12, lost: 0, tied: 0, resolution: { pairs: 12 } });
    expect(model.cells.rows.map(([arm]) => arm)).toEqual(['throughput/h2', 'throughput/h3-only']);
    expect(model.counts).toMatchObject({ planned: 36, finished: 36, used: 36, pairs: 12 });
  });

  test('are in every form of a report, and named in the table of sessions', () => {
    for (const text of [
      reportMarkdown(model),
      reportHtml(model, { styles: '', logAddress: null }),
      reportCsv(model).get('aa.csv')!,
    ])
      expect(text).toContain('95 % within');
    const [names = [], ...rows] = parseCsv(sessionsCsv(model));
    const place = names.indexOf('A/A');
    expect(rows.filter((row) => row[place] === 'A/A')).toHaveLength(12);
    expect(rows.filter((row) => row[place] === '')).toHaveLength(24);
  });

  test('are in no report of a campaign without them', () => {
    const without = reportModel(exampleSource({ repeats: 8 }));
    expect('aa' in without).toBe(false);
    expect(sessionsCsv(without).split('\n')[0]).not.toContain('A/A');
  });

  test('of an A/A test are those of its labels', () => {
    const labels = exampleSource(
      { repeats: 8, aaLabels: ['a', 'b'], compare: 'aaLabels', profiles: ['example-1000'] },
      ({ design }) => ({ values: { 'mean-bitrate': design.arm.endsWith('/b') ? 1003 : 1000 } }),
    );
    const { aa, verdicts } = reportModel(labels);
    expect(aa!.rows[1]).toEqual([
      ...['mean bitrate', 'kbit/s', 'h2', 'without random loss', 8, 1001.5, 3, 3, 3, 3],
      expect.closeTo(0.3, 9),
    ]);
    expect(verdicts[0]).not.toHaveProperty('resolution');
  });
});
