import { type MetricCell, type MetricRow, metricRows } from '../../analysis/comparison/metricRows.ts';
import { anyPlays, referenceOf, type Comparison } from '../../charts/compare/compareLane.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { html } from '../dom.ts';
import { scrollTable } from './scrollTable.ts';
import type { OpenSession } from './openLogs.ts';
import { formatNumber, formatSigned } from '../../shared/format.ts';

/**
 * Shows every metric of each session with its difference to the reference: those of the tables first, the others folded away.
 * Where all sessions are transfers, the metrics with a known value come first.
 */
export function metricTable(sessions: readonly OpenSession[], comparison: Comparison): HTMLElement {
  const compared = comparison.sessions;
  const rows = metricRows(
    compared.map((_, place) => sessions[place]!.log.metrics),
    compared.map((session) => compared.indexOf(referenceOf(session, comparison))),
  );
  const [first, others] = partedRows(rows, anyPlays(comparison));
  return html(
    'section',
    { class: 'compare-metrics', 'aria-label': 'Metrics' },
    html('h2', {}, 'Metrics', html('small', {}, ` ${formatScope(comparison)}`)),
    tableOf('Table of metrics', first, comparison),
    html(
      'details',
      {},
      html('summary', {}, `${others.length} more metrics`),
      tableOf('Table of more metrics', others, comparison),
    ),
  );
}

/** Parts the rows into those that are always open, and the others. */
export function partedRows<Row extends Pick<MetricRow, 'isHeadline' | 'cells'>>(
  rows: readonly Row[],
  plays: boolean,
): [first: Row[], others: Row[]] {
  const isFirst = ({ isHeadline, cells }: Row): boolean =>
    plays ? isHeadline : cells.some(({ value }) => value !== null);
  return [rows.filter(isFirst), rows.filter((row) => !isFirst(row))];
}

/** Says what the differences are to, and that they only describe these sessions. */
const formatScope = ({ pairs, reference }: Pick<Comparison, 'pairs' | 'reference'>): string =>
  `differences ${pairs.length > 1 ? 'within each pair, to the session marked as reference' : `to ${reference.look.letter}`}; they describe these sessions and are no verdict`;

function tableOf(label: string, rows: readonly MetricRow[], comparison: Comparison): HTMLElement {
  const { sessions, pairs } = comparison;
  const places = pairs.flatMap((pair) => pair.sessions.map((session) => sessions.indexOf(session)));
  return scrollTable({
    label,
    heads: [...(pairs.length > 1 ? [pairHeads(pairs)] : []), sessionHeads(comparison)],
    rows: rows.map((row) => rowOf(row, { places, firsts: firstPlaces(comparison) })),
  });
}

/** The places of the sessions that begin a pair, where there are several pairs: a line parts them from those before. */
const firstPlaces = ({ sessions, pairs }: Comparison): ReadonlySet<number> =>
  new Set(pairs.length > 1 ? pairs.map((pair) => sessions.indexOf(pair.sessions[0]!)) : []);

const pairHeads = (pairs: Comparison['pairs']): HTMLElement =>
  html(
    'tr',
    { class: 'pair-names' },
    html('th', { scope: 'col' }, 'Pair'),
    ...pairs.map(({ name, sessions }) =>
      html(
        'th',
        { scope: 'colgroup', colspan: sessions.length, class: 'pair-first', title: name ?? '' },
        name ?? 'of no campaign',
      ),
    ),
  );

function sessionHeads(comparison: Comparison): HTMLElement {
  const firsts = firstPlaces(comparison);
  const heads = comparison.pairs.flatMap(({ sessions, reference }) =>
    sessions.map((session) =>
      html(
        'th',
        { scope: 'col', class: pairClass(firsts.has(comparison.sessions.indexOf(session))) },
        letterMark(session),
        session === reference ? html('span', { class: 'reference-word' }, 'reference') : null,
      ),
    ),
  );
  return html('tr', {}, html('th', { scope: 'col' }, 'Metric'), ...heads);
}

const pairClass = (isFirst: boolean): string | null => (isFirst ? 'pair-first' : null);

interface Columns {
  /** Places of the sessions, in the order of the columns. */
  readonly places: readonly number[];
  readonly firsts: ReadonlySet<number>;
}

function rowOf(row: MetricRow, { places, firsts }: Columns): HTMLElement {
  const [why] = row.cells.every(({ value }) => value === null) ? row.cells : [];
  return html(
    'tr',
    { 'data-metric': row.id },
    html(
      'th',
      { scope: 'row', title: row.meaning },
      row.label,
      html('small', {}, why ? `unknown: ${why.why ?? ''}` : row.unit),
    ),
    ...places.map((place) => cellOf(row.cells[place]!, row, firsts.has(place))),
  );
}

function cellOf(cell: MetricCell, row: MetricRow, isFirst: boolean): HTMLElement {
  const difference = formatDifference(cell, row);
  return html(
    'td',
    { class: [cell.judged, pairClass(isFirst)].filter((each) => each !== null).join(' '), title: cell.why },
    html(
      'span',
      { class: cell.value === null ? 'unknown' : 'value' },
      `${cell.lowerBound ? '≥ ' : ''}${formatNumber(cell.value, row.decimals)}`,
    ),
    difference === '' ? null : html('span', { class: 'difference' }, difference),
  );
}

/** A difference with its sign, and what it is to the viewer, as in "−61 (better)"; "" where there is none to tell. */
export function formatDifference(
  { difference, judged }: MetricCell,
  { decimals }: Pick<MetricRow, 'decimals'>,
): string {
  if (difference === null) return '';
  const signed = formatSigned(difference, decimals);
  if (Number(signed) === 0) return 'same';
  return judged === null ? signed : `${signed} (${judged})`;
}
