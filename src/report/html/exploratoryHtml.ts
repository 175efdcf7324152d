import { dataLink } from './dataLink.ts';
import { markup, type Markup } from './markup.ts';
import { bareTable } from './tableHtml.ts';
import { columnNames } from '../columnNames.ts';
import type { Cell, ReportTable } from '../reportTable.ts';
import { formatCount } from '../../shared/format.ts';

/** Columns that name the comparison: they head its part of the table. */
const NAMES = [2, 3, 4, 5];
/** Parts that are open at first: the reader of one comparison sees it at once. */
const FEW = 2;

/** The exploratory table in parts, one for each comparison. */
export function exploratoryHtml(table: ReportTable): Markup {
  const parts = new Map<string, (readonly Cell[])[]>();
  for (const row of table.rows) {
    const name = nameOf(row);
    if (!parts.get(name)?.push(row)) parts.set(name, [row]);
  }
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
