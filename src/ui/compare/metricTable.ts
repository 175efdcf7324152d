import { type MetricCell, type MetricRow, metricRows } from '../../analysis/comparison/metricRows.ts';
import type { Comparison } from '../../charts/compare/compareLane.ts';
import { letterMark } from '../../charts/shell/compare/compareLaneView.ts';
import { html } from '../dom.ts';
import type { OpenSession } from './openLogs.ts';
import { formatNumber, formatSigned } from '../../shared/format.ts';

/** Every metric of each session with its difference to the reference: those of the tables first, the others folded away. */
export function metricTable(sessions: readonly OpenSession[], comparison: Comparison): HTMLElement {
  const reference = comparison.sessions.indexOf(comparison.reference);
  const rows = metricRows(
    sessions.map(({ log }) => log.metrics),
    reference,
  );
  const others = rows.filter(({ isHeadline }) => !isHeadline);
  return html(
    'section',
    { class: 'compare-metrics', 'aria-label': 'Metrics' },
    html(
      'h2',
      {},
      'Metrics',
      html(
        'small',
        {},
        ` differences to ${comparison.reference.look.letter}; they describe these sessions and are no verdict`,
      ),
    ),
    tableOf(
      'Metrics',
      rows.filter(({ isHeadline }) => isHeadline),
      comparison,
    ),
    html(
      'details',
      {},
      html('summary', {}, `${others.length} more metrics`),
      tableOf('More metrics', others, comparison),
    ),
  );
}

function tableOf(label: string, rows: readonly MetricRow[], comparison: Comparison): HTMLElement {
  const { sessions, reference } = comparison;
  const heads = sessions.map((session) =>
    html(
      'th',
      { scope: 'col' },
      letterMark(session),
      session === reference ? html('span', { class: 'reference-word' }, 'reference') : null,
    ),
  );
  return html(
    'div',
    { class: 'compare-scroller', tabindex: 0, role: 'region', 'aria-label': label },
    html(
      'table',
      {},
      html('thead', {}, html('tr', {}, html('th', { scope: 'col' }, 'Metric'), ...heads)),
      html('tbody', {}, ...rows.map(rowOf)),
    ),
  );
}

function rowOf(row: MetricRow): HTMLElement {
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
    ...row.cells.map((cell) => cellOf(cell, row)),
  );
}

function cellOf(cell: MetricCell, row: MetricRow): HTMLElement {
  const difference = formatDifference(cell, row);
  return html(
    'td',
    { class: cell.judged, title: cell.why },
    html(
      'span',
      { class: cell.value === null ? 'unknown' : 'value' },
      formatNumber(cell.value, row.decimals),
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
