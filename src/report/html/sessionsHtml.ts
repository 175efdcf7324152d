import { dataLink } from './dataLink.ts';
import { markup, type Inside, type Markup } from './markup.ts';
import { bareTable } from './tableHtml.ts';
import { columnNames } from '../columnNames.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { metrics } from '../../analysis/metrics/registry.ts';

/** Rows that a page shows, and rows that it holds as data: more make it too large to send. */
const MAX_SHOWN = 500;
const MAX_HELD = 3000;
/** Columns before the metrics. */
const NAMED = 11;
/** Those that the page omits: rule, transport, controllers, network, content are in the names of pair and session. */
const HIDDEN = new Set([1, 2, 3, 4, 5, 7, 8]);

/** The sessions with the metrics that matter most, each with a link to its log. */
export function sessionsHtml(
  { sessions, primary }: ReportModel,
  linkOf: (session: string) => Inside,
): Markup {
  const isShown = (place: number): boolean =>
    place < NAMED
      ? !HIDDEN.has(place)
      : metrics[place - NAMED]?.headline !== undefined || metrics[place - NAMED]?.id === primary.id;
  const places = sessions.columns.map((_, place) => place).filter(isShown);
  const table = {
    ...sessions,
    columns: places.map((place) => sessions.columns[place]!),
    rows: sessions.rows.map((row) => places.map((place) => row[place]!)),
  };
  const data =
    sessions.rows.length <= MAX_HELD
      ? dataLink(sessions.id, columnNames(sessions), sessions.rows)
      : markup`<span class="caption">all of them: pitwall report … --format csv</span>`;
  return markup`<section class="table" id="sessions">
    <div class="head">
      <h2>${sessions.title}</h2>
      ${data}
    </div>
    <p class="caption">${sessions.caption} A log opens in Pitwall’s page: save it, or drop it there.</p>
    <details>
      <summary>${sessions.rows.length} sessions</summary>
      ${bareTable(table, { maxRows: MAX_SHOWN, shown: (cell, column) => (column === 0 && typeof cell === 'string' ? linkOf(cell) : undefined) })}
    </details>
  </section>`;
}
