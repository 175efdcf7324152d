import { groupBy } from '../../../src/shared/groupBy.ts';
import { dataLink, bareTable } from './tableHtml.ts';
import { markup, type Markup, type Inside } from './markup.ts';
import { columnNames, type Cell, type ReportTable } from '../reportTable.ts';
import { metricColumn } from '../model/metricTables.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { formatCount } from '../../../src/shared/format.ts';

/** Columns that name the comparison: they head its part of the table. */
const NAMES = [2, 3, 4, 5];
/** Parts that are open at first: the reader of one comparison sees it at once. */
const FEW = 2;

/** The exploratory table in parts, one for each comparison. */
export function exploratoryHtml(table: ReportTable): Markup {
  const parts = groupBy(table.rows, nameOf);
  const isFew = parts.size <= FEW;
  const columns = without(table.columns);
  return markup`<section id="${table.id}">
    <div class="head">
      <h2>${table.title}</h2>
      ${dataLink(table.id, columnNames(table), table.rows)}
    </div>
    <p class="caption">${table.caption}</p>
    ${[...parts].map(
      (
        [name, rows],
        index,
      ) => markup`<details${isFew ? markup` open` : null}><summary>${name}: ${formatCount(rows.length, 'metric')}</summary>
${bareTable({ ...table, id: `${table.id}-${index + 1}`, title: name, columns, rows: rows.map(without) })}</details>`,
    )}
  </section>`;
}

const nameOf = (row: readonly Cell[]): string => {
  const [first, second, within, network] = NAMES.map((place) => row[place]);
  return `${first} against ${second}${within === '' ? '' : ` under ${within}`}${network === 'all' ? '' : ` on ${network}`}`;
};

const without = <Each>(row: readonly Each[]): Each[] => row.filter((_, place) => !NAMES.includes(place));

/** Rows that a page shows, and rows that it holds as data: more make it too large to send. */
const MAX_SHOWN = 500;
const MAX_HELD = 3000;
/** The other columns that name a session are in the names of pair and session. */
const NAMES_SHOWN = ['session', 'A/A', 'pair', 'state', 'why'];

/** The sessions with the metrics that matter most, each with a link to its log. */
export function sessionsHtml(
  { sessions, primary }: ReportModel,
  linkOf: (session: string) => Inside,
): Markup {
  const shown = new Set([
    ...NAMES_SHOWN,
    ...metrics
      .filter(({ id, headline }) => headline !== undefined || id === primary.id)
      .map((metric) => metricColumn(metric).label),
  ]);
  const places = sessions.columns.flatMap(({ label }, place) => (shown.has(label) ? [place] : []));
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
