import { describe, expect, test } from 'vitest';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { VIDEO } from '../../analysis/timeline/columns.ts';
import { exampleSession, request, rung } from '../../analysis/timeline/example.testing.ts';
import type { RequestEvent } from '../../telemetry/event.ts';
import { CHARTS } from '../registry.ts';
import { rowFor, rowMiddlePx } from './waterfall.ts';

describe('requests', () => {
  const chart = CHARTS.find(({ id }) => id === 'requests')!;
  const tooltipOf = (changes: Partial<RequestEvent>) => {
    const series = seriesOf(exampleSession([rung(500, 1), request(1000, changes)]));
    const row = [...series.requests.columns.atMs].indexOf(1000);
    const y = rowMiddlePx(rowFor(VIDEO, series.requests.columns.segment[row]!));
    return chart.tooltip!(series, { atMs: 1100, y, msPerPx: 1 });
  };
  test('the one under the pointer is said in a line', () => {
    expect(tooltipOf({})).toMatch(
      /^video segment \d+, level \d · h3 · latency \d+ ms, transfer 200 ms · 250\.0 kB$/,
    );
    expect(tooltipOf({ firstByteMs: null })).toMatch(/ · total \d+ ms, timing hidden · /);
    expect(tooltipOf({ outcome: 'network-error' })).toMatch(/ · network-error$/);
    expect(tooltipOf({ protocol: null, missing: { protocol: 'cached' } })).toContain('protocol unknown');
  });
  test('where nothing is, nothing is said', () => {
    const series = seriesOf(exampleSession([request(1000)]));
    expect(chart.tooltip!(series, { atMs: 9000, y: 4, msPerPx: 1 })).toBeNull();
  });
});
