import { columnNames, formatCsv } from '../reportTable.ts';
import type { ReportModel } from '../model/reportModel.ts';
import { networkTable, verdictTable } from '../model/verdictTables.ts';

/** The sessions with all their metrics, a row each: what everything else can be computed from. */
export const sessionsCsv = ({ sessions }: Pick<ReportModel, 'sessions'>): string =>
  formatCsv(columnNames(sessions), sessions.rows);

/** A CSV file for each table and each figure, by file name. */
export function reportCsv(model: ReportModel): ReadonlyMap<string, string> {
  const { ran, fairness, verdicts, primary, cells, thesis, exploratory, sessions, figures } = model;
  const byNetwork = networkTable(verdicts, primary);
  const tables = [
    ran,
    ...(model.tries ? [model.tries] : []),
    fairness.table,
    verdictTable(verdicts, primary),
    ...(byNetwork === null ? [] : [byNetwork]),
    cells,
    ...(model.steering ? [model.steering] : []),
    ...(model.aa ? [model.aa] : []),
    ...(model.blocks ? [model.blocks] : []),
    ...thesis,
    exploratory,
    sessions,
    ...(model.variants ?? []).flatMap((variant) => [...variant.tables, variant.sessions]),
  ];
  return new Map([
    ...tables.map((table) => [`${table.id}.csv`, formatCsv(columnNames(table), table.rows)] as const),
    ...figures.map(({ id, columns, rows }) => [`figure-${id}.csv`, formatCsv(columns, rows)] as const),
  ]);
}

/** A report for programs: all of the model, figures by their numbers without the pictures. */
export function reportJson(model: ReportModel): string {
  const figures = model.figures.map(({ svg: _svg, ...data }) => data);
  return `${JSON.stringify({ ...model, figures }, null, 1)}\n`;
}
