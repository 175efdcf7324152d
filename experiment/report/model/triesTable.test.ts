import { describe, expect, test } from 'vitest';
import { reportModel } from './reportModel.ts';
import { transportsOfTries, triesTable } from './triesTable.ts';
import { warningsOf } from './warningsOf.ts';
import { exampleSource } from '../figures/exampleSource.testing.ts';
import { reportCsv } from '../text/reportData.ts';
import { reportMarkdown } from '../text/markdown.ts';
import { reportHtml } from '../html/reportHtml.ts';
import type { ReportSource } from '../reportSource.ts';

/** Ten pairs of h2 and h3-only; `failed` has the failed tries of a session, by transport and repeat. */
function sourceOf(failed: (transport: string, repeat: number) => readonly string[]): ReportSource {
  const source = exampleSource({ repeats: 10 }, ({ transport }) => ({
    values: { 'mean-bitrate': transport === 'h2' ? 1000 : 1200 },
  }));
  const outcomes = source.plan.sessions.map(({ id, transport, design }) => {
    const failedTries = failed(transport, design.repeat);
    const discarded = failedTries.length > 0 ? 500 + design.repeat : null;
    return { id, state: 'finished' as const, why: null, failedTries, discarded };
  });
  return { ...source, outcomes };
}

/** In 8 of 10 pairs h3-only failed, and h2 was repeated with it; in one of them it failed twice. */
const uneven = sourceOf((transport, repeat) => {
  if (repeat > 7) return [];
  if (transport === 'h2') return ['pair-repeated'];
  return repeat === 0 ? ['guard-tripped', 'link-ended'] : ['guard-tripped'];
});

describe('tries', () => {
  test('are counted by arm and reason, beside what was kept', () => {
    const table = triesTable(uneven)!;
    expect(table.columns.map(({ label }) => label)).toEqual([
      ...['arm', 'tries', 'kept', 'repeated, %'],
      'the emulated link ended too early',
      'the machine was the bottleneck, not the network',
      'another session of its pair was played again',
      ...['mean bitrate, kbit/s: kept', 'mean bitrate, kbit/s: thrown away', 'logs thrown away'],
    ]);
    expect(table.rows).toEqual([
      ['throughput/h2', 18, 10, (100 * 8) / 18, 0, 0, 8, 1000, 503.5, 8],
      ['throughput/h3-only', 19, 10, (100 * 9) / 19, 1, 8, 0, 1200, 503.5, 8],
    ]);
    expect(table.caption).toContain('8 of 10 pairs had a try thrown away.');
  });

  test('are held to chance by transport, without those that were repeated for another', () => {
    // SciPy: fisher_exact([[0, 18], [9, 10]]).pvalue
    expect(transportsOfTries(uneven)).toEqual({
      p: expect.closeTo(0.001133391, 8) as number,
      method: 'exact',
    });
    expect(triesTable(uneven)!.caption).toContain("p = 0.0011 (Fisher's exact test");
    expect(warningsOf(uneven)).toContainEqual(
      expect.stringMatching(
        /^Tries were not thrown away alike .*0 % of throughput\/h2, 47 % of throughput\/h3-only/,
      ),
    );
  });

  test('that fail alike need no warning', () => {
    const even = sourceOf((_, repeat) => (repeat < 2 ? ['browser-ended'] : []));
    expect(transportsOfTries(even)!.p).toBeCloseTo(1, 9);
    expect(warningsOf(even).join()).not.toContain('Tries');
  });

  test('of a version that is not known keep their reason', () =>
    expect(triesTable(sourceOf(() => ['of-tomorrow']))!.columns.map(({ label }) => label)).toContain(
      'of-tomorrow',
    ));

  test('are in every form of a report, and in none where no try failed', () => {
    const model = reportModel(uneven);
    const html = reportHtml(model, { styles: '', logAddress: null });
    expect([html, reportMarkdown(model)].every((text) => text.includes('the emulated link ended'))).toBe(
      true,
    );
    expect([...reportCsv(model).keys()]).toContain('tries.csv');
    const calm = reportModel(sourceOf(() => []));
    expect('tries' in calm).toBe(false);
    expect([...reportCsv(calm).keys()]).not.toContain('tries.csv');
  });
});
