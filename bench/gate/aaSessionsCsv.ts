import { loadSource } from '../../experiment/report/read/loadSource.ts';
import { sessionTable } from '../../experiment/report/model/metricTables.ts';
import { columnNames, formatCsv, type ReportTable } from '../../experiment/report/reportTable.ts';

/** In these gates the page is a label: both play the same. */
const PAGE = 'page';
const LABEL = 'A/A';
const NOT_PLAYED = 'not-played';

/** The played sessions of A/A gates, by the folders of the gates. @throws Error in one sentence where a folder cannot be read */
export async function aaSessionsCsv(folders: readonly string[]): Promise<string> {
  const tables: ReportTable[] = [];
  for (const folder of folders) tables.push(sessionTable(await loadSource(folder)));
  return formatAaSessions(tables);
}

/**
 * Tables of sessions of A/A gates as one, with the columns of `pitwall report --format csv`. Sessions of BASE and NEW have these
 * as their A/A labels. Gates have different seeds, so that no two pairs have one name. Sessions that were not played are left
 * out, because a gate ends before all of them are.
 */
export function formatAaSessions(tables: readonly Pick<ReportTable, 'columns' | 'rows'>[]): string {
  const [columns = []] = tables.map(columnNames);
  const state = columns.indexOf('state');
  const rows = tables.flatMap((table) => table.rows.filter((row) => row[state] !== NOT_PLAYED));
  return formatCsv(
    columns.map((name) => (name === PAGE ? LABEL : name)),
    rows,
  );
}
