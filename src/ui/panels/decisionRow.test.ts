import { expect, test } from 'vitest';
import { createSeries, SHAPES } from '../../analysis/series.ts';
import { insertRow } from '../../analysis/table.ts';
import { decisionRow } from './decisionRow.ts';

function seriesWith(...decisions: readonly [atMs: number, lane: number, id: string][]) {
  const series = createSeries();
  const zeros = Object.fromEntries(Object.keys(SHAPES.decisions).map((name) => [name, 0]));
  for (const [atMs, lane, id] of decisions)
    insertRow(series.decisions, {
      ...(zeros as Record<keyof typeof SHAPES.decisions, number>),
      atMs,
      lane,
      ref: series.ids.push(id) - 1,
    });
  return series;
}

const series = seriesWith([100, 0, 'd1'], [150, 1, 'd2'], [900, 0, 'd3']);

test.each([
  [99, null],
  [100, 'd1'],
  [500, 'd1'],
  [900, 'd3'],
  [1e9, 'd3'],
])('at %d ms the video decision is %s', (atMs, id) => expect(decisionRow(series, atMs)?.id ?? null).toBe(id));
