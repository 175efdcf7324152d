import type { SessionSeries } from '../analysis/timeline/series.ts';
import { lastRow, rowAfter } from '../analysis/timeline/table.ts';
import type { View } from './chart.ts';
import { CELL_LOOKS, type CellsMark } from './mark.ts';
import { primaryLane } from './primaryLane.ts';
import { ruleLook } from './ruleLook.ts';

export const RULE_ROW_PX = 15.6;
const MAX_RULES = 8;
/** A column narrower than this says nothing; the one with the lowest rung then stands for its neighbours. */
const MIN_COLUMN_PX = 4;

/** Rules that decided or voted, as codes, in order of appearance. */
export const ruleRows = ({ rules }: SessionSeries): number[] =>
  rules.map((_, code) => code).slice(0, MAX_RULES);

type Cells = Record<'fromMs' | 'toMs' | 'ys' | 'numbers' | 'tone' | 'looks', number[]>;

/** The votes of a view as a matrix: a column per decision, a row per rule. */
export function decisionCells(series: SessionSeries, view: View, rules: readonly number[]): CellsMark {
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
