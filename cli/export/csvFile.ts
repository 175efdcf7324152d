import { appendFileSync, writeFileSync } from 'node:fs';
import type { TableFile } from './tableForms.ts';
import { csvHead, csvRows } from '../../src/export/csv.ts';
import type { ExportTable } from '../../src/export/table.ts';

/** A table as CSV, a session at a time. */
export function csvFile(table: ExportTable, file: string): TableFile {
  writeFileSync(file, csvHead(table));
  return { append: (rows) => appendFileSync(file, csvRows(rows)), end: () => undefined };
}
