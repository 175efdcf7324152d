import { describe, expect, test } from 'vitest';
import { reportModel } from './reportModel.ts';
import { warningsOf } from './warningsOf.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import { reportHtml } from '../html/reportHtml.ts';
import { reportMarkdown } from '../text/markdown.ts';
import type { ReportSource } from '../reportSource.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';

/** h2 at 1000 kbit/s, h3-only so much above it in each of eight repeats; two blocks of four. */
const moreInRepeats = (more: readonly number[], changes: Partial<CampaignFile> = {}): ReportSource =>
  exampleSource({ repeats: 8, blocks: 2, ...changes }, ({ transport, design }) => ({
    values: { 'mean-bitrate': transport === 'h2' ? 1000 : 1000 + more[design.repeat]! },
  }));
const rowsOf = (source: ReportSource) => reportModel(source).blocks!.rows;

describe('blocks', () => {
  const moved = moreInRepeats([99, 101, 98, 102, 119, 121, 118, 122]);

  test('have a difference each, and how far it is from that of the first', () => {
    // SciPy: stats.ttest_ind([119, 121, 118, 122], [99, 101, 98, 102], equal_var=False).confidence_interval(0.95)
    const [from, to] = [16.84105038, 23.15894962].map((end) => expect.closeTo(end, 6) as number);
    expect(rowsOf(moved)).toEqual([
      ['h3-only against h2', 'throughput', 'all', 1, 4, 100, null, null, null],
      ['h3-only against h2', 'throughput', 'all', 2, 4, 120, 20, from, to],
    ]);
    expect(warningsOf(moved)).toContain(
      'The difference of h3-only against h2 (throughput) is not the same in all blocks: in block 2 (4 pairs) it is +20.0 kbit/s from that in block 1 (95 % +16.8 to +23.2).',
    );
  });

  test('that differ by no more than chance need no warning', () => {
    const alike = moreInRepeats([90, 110, 100, 105, 95, 112, 99, 101]);
    expect(warningsOf(alike).join()).not.toContain('block');
    expect(rowsOf(alike)[1]![6]).toBeCloseTo(0.5, 9);
  });

  test('without a value are null, not 0', () => {
    const half = exampleSource({ repeats: 8, blocks: 2 }, ({ design }) =>
      design.repeat < 4 ? { values: { 'mean-bitrate': 1000 } } : null,
    );
    expect(rowsOf(half).map((row) => row.slice(3))).toEqual([
      [1, 4, 0, null, null, null],
      [2, 0, null, null, null, null],
    ]);
  });

  test('are in every form of a report, and in none of a campaign without', () => {
    const model = reportModel(moved);
    for (const text of [reportMarkdown(model), reportHtml(model, { styles: '', logAddress: null })])
      expect(text).toContain('less block 1');
    const without = reportModel(exampleSource({ repeats: 8 }));
    expect('blocks' in without).toBe(false);
    expect(reportMarkdown(without)).not.toContain('less block 1');
  });
});
