import {
  formatCell,
  columnNames,
  formatCsv,
  type Cell,
  type ReportTable,
  type TableColumn,
} from '../reportTable.ts';
import { markup, type Inside, type Markup } from './markup.ts';
import { groupBy } from '../../../src/shared/groupBy.ts';
import { metricColumn } from '../model/metricTables.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { metrics } from '../../../src/analysis/metrics/registry.ts';
import { formatCount } from '../../../src/shared/format.ts';

interface TableOptions {
  /** Maximum number of rows that the page shows; the CSV has all. */
  readonly maxRows?: number;
  /** Level of the heading over the table. */
  readonly level?: 2 | 3;
  /** Returns what stands in a cell instead of its text. */
  shown?(cell: Cell, column: number): Inside;
}

/** Makes a table with its heading, caption and data; it scrolls sideways by itself where it is too wide. */
export function tableHtml(table: ReportTable, options: TableOptions = {}): Markup {
  const { level = 2 } = options;
  const { id, title, caption, rows } = table;
  const heading =
    level === 2 ? markup`<h2 id="${id}-title">${title}</h2>` : markup`<h3 id="${id}-title">${title}</h3>`;
  return markup`<section class="table" id="${id}">
    <div class="head">${heading}${dataLink(id, columnNames(table), rows)}</div>
    <p class="caption">${caption}</p>
    ${bareTable(table, options)}
  </section>`;
}

/** Makes the table without heading, caption and data. */
export function bareTable(
  { id, title, columns, rows }: ReportTable,
  { maxRows = Infinity, shown }: TableOptions = {},
): Markup {
  const cut =
    rows.length > maxRows
      ? markup`<p class="caption">${maxRows} of ${rows.length} rows; the CSV has all of them.</p>`
      : null;
  return markup`<div class="scroll" role="region" aria-label="${title}" tabindex="0">
      <table data-table="${id}">
        <thead>
          ${headRows(columns)}
        </thead>
        <tbody>
          ${rows.slice(0, maxRows).map((row) => rowOf(row, columns, shown))}
        </tbody>
      </table>
    </div>
    ${cut}`;
}

function headRows(columns: readonly TableColumn[]): Markup {
  const labels = columns.map(({ label, isText }) => markup`<th scope="col" ${classOf(isText)}>${label}</th>`);
  if (columns.every(({ group }) => group === undefined))
    return markup`<tr>
      ${labels}
    </tr>`;
  const groups: { name: string; span: number }[] = [];
  for (const { group = '' } of columns) {
    const last = groups.at(-1);
    if (last?.name === group) last.span += 1;
    else groups.push({ name: group, span: 1 });
  }
  const over = groups.map(({ name, span }) =>
    name === ''
      ? markup`<td colspan="${span}"></td>`
      : markup`<th scope="colgroup" colspan="${span}">${name}</th>`,
  );
  return markup`<tr class="groups">
      ${over}
    </tr>
    <tr>
      ${labels}
    </tr>`;
}

const rowOf = (row: readonly Cell[], columns: readonly TableColumn[], shown: TableOptions['shown']): Markup =>
  markup`<tr>
    ${row.map((cell, index) => cellOf(shown?.(cell, index) ?? formatCell(cell, columns[index]!), { index, isText: columns[index]!.isText }))}
  </tr> `;

const cellOf = (inside: Inside, { index, isText }: { index: number; isText: boolean | undefined }): Markup =>
  index === 0 ? markup`<th scope="row">${inside}</th>` : markup`<td${classOf(isText)}>${inside}</td>`;

const classOf = (isText: boolean | undefined): Markup => (isText ? markup` class="text"` : markup``);

/** Makes a link that saves a table as CSV. The data is in the page itself, so no request is needed. */
export function dataLink(
  name: string,
  columns: readonly string[],
  rows: readonly (readonly Cell[])[],
): Markup {
  const address = `data:text/csv;charset=utf-8,${encoded(formatCsv(columns, rows))}`;
  return markup`<a class="data" href="${address}" download="${name}.csv"
    >CSV<span class="unseen"> of ${name}</span></a
  >`;
}

/** Encodes text for a data address. It keeps commas, colons and slashes, which are many (RFC 2397 with RFC 3986 pchar). */
const encoded = (text: string): string =>
  encodeURIComponent(text).replace(/%(?:2C|3A|2F|3B|3D)/g, (code) => decodeURIComponent(code));

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
