import { appendFileSync, writeFileSync } from 'node:fs';
import type { TableFile } from './tableForms.ts';
import type { ExportTable } from '../../src/export/table.ts';
import { csvLine } from '../../src/shared/csv.ts';

/** A table as CSV, a session at a time. */
export function csvFile({ columns }: ExportTable, file: string): TableFile {
  writeFileSync(file, csvLine(columns.map(({ name }) => name)));
  return { append: (rows) => appendFileSync(file, rows.map(csvLine).join('')), end: () => undefined };
}
