import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { lastRow, rowAfter, valueAt } from '../../analysis/timeline/table.ts';
import type { Chart, TableView, Tick, View } from '../chart.ts';
import { type LaneTable, CELL_LOOKS, type CellsMark } from '../marks/mark.ts';
import { primaryLane } from '../requestRows.ts';
import { ruleLook, shortNameOf } from '../ruleLook.ts';
import { formatClock, formatNumber } from '../../shared/format.ts';

/** Who chose what: a column per decision, a row per rule, the rung (from 1) in each cell. */
export const decisions: Chart = {
  id: 'decisions',
  label: 'Decisions',
  height: { minPx: 64, maxPx: 64, narrowPx: 64 },
  hasData: ({ scene }) => !scene.isTransfer,
  build(series, view) {
    const rules = ruleRows(series);
    const heightPx = Math.max(2, rules.length) * RULE_ROW_PX + 2;
    return {
      note: view.narrow ? '' : 'level that each rule voted for; filled: it decided',
      sentence:
        'Votes of the rules for every segment as level numbers from 1; that of the rule that decided is filled, a dot: not asked.',
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
    const by = row === -1 ? '–' : ruleLook(series.rules[rule[row]!] ?? '').label;
    return [
      { glyph: null, label: 'chosen', value: chosen === null ? '–' : `level ${chosen + 1}`, chars: 7 },
      { glyph: null, label: 'by', value: by, chars: 24 },
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
  const { tone } = ruleLook(rule);
  return { value: (index + 0.5) * RULE_ROW_PX, label: shortNameOf(rule), tone, strong: true };
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
    caption: 'Decisions: level chosen, by which rule, on what buffer and estimate',
    columns: ['Time', 'Level', 'Rule', 'Buffer, s', 'Estimate, Mbit/s'],
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

const RULE_ROW_PX = 15.6;
const MAX_RULES = 8;
/** A column narrower than this says nothing; the one with the lowest rung then stands for its neighbours. */
const MIN_COLUMN_PX = 4;

/** Rules that decided or voted, as codes, in order of appearance. */
const ruleRows = ({ rules }: SessionSeries): number[] => rules.map((_, code) => code).slice(0, MAX_RULES);

type Cells = Record<'fromMs' | 'toMs' | 'ys' | 'numbers' | 'tone' | 'looks', number[]>;

/** The votes of a view as a matrix: a column per decision, a row per rule. */
function decisionCells(series: SessionSeries, view: View, rules: readonly number[]): CellsMark {
  const cells: Cells = { fromMs: [], toMs: [], ys: [], numbers: [], tone: [], looks: [] };
  for (const { row, toMs } of columnsOf(series, view)) {
    const fromMs = series.decisions.columns.atMs[row]!;
    rules.forEach((rule, index) => {
      const { rung, look } = cellOf(series, row, rule);
      cells.fromMs.push(fromMs);
      cells.toMs.push(toMs);
      cells.ys.push((index + 0.5) * RULE_ROW_PX);
      cells.numbers.push(rung + 1);
      cells.tone.push(index);
      cells.looks.push(CELL_LOOKS.indexOf(look));
    });
  }
  const tones = rules.map((rule) => ruleLook(series.rules[rule]!).tone);
  return { kind: 'cells', ...cells, tones, heightPx: 12.6, maxWidthPx: 30 };
}

/** Decisions of a view with the moment the next one came. */
function columnsOf(series: SessionSeries, view: View): { row: number; toMs: number }[] {
  const { atMs, rung, lane } = series.decisions.columns;
  const mine = primaryLane(series);
  const minMs = (MIN_COLUMN_PX * (view.toMs - view.fromMs)) / view.maxPoints;
  const first = Math.max(
    0,
    lastRow(series.decisions, view.fromMs, (row) => lane[row] === mine),
  );
  const columns: { row: number; toMs: number; startMs: number }[] = [];
  for (let row = first; row < rowAfter(series.decisions, Math.min(view.toMs, view.nowMs)); row += 1) {
    if (lane[row] !== mine) continue;
    const before = columns.at(-1);
    if (before && atMs[row]! - before.startMs < minMs) {
      if (rung[row]! < rung[before.row]!) before.row = row;
      continue;
    }
    if (before) before.toMs = atMs[row]!;
    columns.push({ row, toMs: view.nowMs, startMs: atMs[row]! });
  }
  return columns;
}

function cellOf(
  { decisions, votes }: SessionSeries,
  row: number,
  rule: number,
): { rung: number; look: (typeof CELL_LOOKS)[number] } {
  const first = decisions.columns.firstVote[row]!;
  const won = decisions.columns.rule[row] === rule;
  for (let vote = first; vote < first + decisions.columns.voteCount[row]!; vote += 1) {
    if (votes.columns.rule[vote] !== rule) continue;
    const rung = votes.columns.rung[vote]!;
    if (votes.columns.asked[vote] === 0 || Number.isNaN(rung)) break;
    return { rung, look: won ? 'decided' : 'voted' };
  }
  return won ? { rung: decisions.columns.rung[row]!, look: 'decided' } : { rung: NaN, look: 'not-asked' };
}
