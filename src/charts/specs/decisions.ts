import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { lastRow, rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import type { Chart, TableView, Tick } from '../chart.ts';
import { decisionCells, RULE_ROW_PX, ruleRows } from '../decisionCells.ts';
import type { LaneTable } from '../mark.ts';
import { primaryLane } from '../primaryLane.ts';
import { ruleLook } from '../ruleLook.ts';
import { formatClock, formatNumber } from '../../shared/format.ts';

/** Who chose what: a column per decision, a row per rule, the rung (from 1) in each cell. */
export const decisions: Chart = {
  id: 'decisions',
  label: 'Decisions',
  height: { minPx: 64, maxPx: 64, narrowPx: 64 },
  build(series, view) {
    const rules = ruleRows(series);
    const heightPx = Math.max(2, rules.length) * RULE_ROW_PX + 2;
    return {
      note: view.narrow ? '' : 'rung voted per segment; filled decided',
      sentence:
        'Votes of the rules for every segment as rung numbers from 1; the rung of the rule that decided is filled, a dot means the rule was not asked.',
      left: {
        scale: 'linear',
        bottom: heightPx,
        top: 0,
        ticks: rules.map((rule, index) => ruleTick(series.rules[rule]!, index)),
      },
      right: null,
      marks: [decisionCells(series, view, rules)],
      heightPx,
    };
  },
  readout(series, atMs) {
    const row = decisionAt(series, atMs);
    const { rung, rule } = series.decisions.columns;
    const chosen = valueAt(rung, row);
    const by = row === -1 ? '–' : ruleLook(series.rules[rule[row]!] ?? '').code;
    return [
      { glyph: null, label: 'chosen', value: chosen === null ? '–' : `rung ${chosen + 1}`, chars: 7 },
      { glyph: null, label: 'by', value: by, chars: 4 },
    ];
  },
  table: decisionTable,
  pick(series, { atMs }) {
    const row = decisionAt(series, atMs);
    if (row === -1) return null;
    const { ref, atMs: times } = series.decisions.columns;
    return { kind: 'decision', id: series.ids[ref[row]!]!, atMs: times[row]! };
  },
};

const decisionAt = (series: SessionSeries, atMs: number): number =>
  lastRow(series.decisions, atMs, (row) => series.decisions.columns.lane[row] === primaryLane(series));

function ruleTick(rule: string, index: number): Tick {
  const { code, tone } = ruleLook(rule);
  return { value: (index + 0.5) * RULE_ROW_PX, label: code, tone, strong: true };
}

function decisionTable(series: SessionSeries, view: TableView): LaneTable {
  const { atMs, rung, rule, estimateKbps, bufferMs, lane } = series.decisions.columns;
  const rows: number[] = [];
  for (
    let row = rowAfter(series.decisions, view.fromMs);
    row < rowAfter(series.decisions, view.toMs);
    row += 1
  )
    if (lane[row] === primaryLane(series)) rows.push(row);
  return {
    caption: 'Decisions: rung chosen, by which rule, on what buffer and estimate',
    columns: ['Time', 'Rung', 'Rule', 'Buffer, s', 'Estimate, Mbit/s'],
    rows: rows
      .slice(-view.maxRows)
      .map((row) => [
        formatClock(atMs[row]!, true),
        Number.isNaN(rung[row]!) ? 'none' : String(rung[row]! + 1),
        ruleLook(series.rules[rule[row]!] ?? '').label,
        formatNumber(bufferMs[row]! / 1000, 1),
        formatNumber((valueAt(estimateKbps, row) ?? NaN) / 1000, 2),
      ]),
    leftOut: Math.max(0, rows.length - view.maxRows),
  };
}
