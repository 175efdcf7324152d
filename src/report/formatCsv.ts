import { csvLine } from '../shared/csv.ts';
import type { Cell } from './reportTable.ts';

/** A table as CSV: a heading, then numbers as they are. */
export const formatCsv = (columns: readonly string[], rows: readonly (readonly Cell[])[]): string =>
  [columns, ...rows].map(csvLine).join('');
