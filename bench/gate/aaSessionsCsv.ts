import { loadSource } from '../../experiment/report/loadSource.ts';
import { sessionTable } from '../../src/report/model/metricTables.ts';
import { columnNames, formatCsv, type Cell } from '../../src/report/reportTable.ts';

/** In these gates the page is a label: both play the same. */
const PAGE = 'page';
const LABEL = 'A/A';
const NOT_PLAYED = 'not-played';

/**
 * The played sessions of A/A gates as one table, with the columns of `pitwall report --format csv`. Sessions of BASE and NEW
 * have these as their A/A labels. Gates have different seeds, so that no two pairs have one name.
 */
export async function aaSessionsCsv(folders: readonly string[]): Promise<string> {
  let columns: readonly string[] = [];
  const rows: (readonly Cell[])[] = [];
  for (const folder of folders) {
    const table = sessionTable(await loadSource(folder));
    columns = columnNames(table);
    const state = columns.indexOf('state');
    rows.push(...table.rows.filter((row) => row[state] !== NOT_PLAYED));
  }
  return formatCsv(
    columns.map((name) => (name === PAGE ? LABEL : name)),
    rows,
  );
}
