import type { Cell, TableColumn } from './reportTable.ts';
import { formatNumber } from '../shared/format.ts';

/** A cell for people: its column's decimals, and a dash for what is not known. */
export function formatCell(cell: Cell, { decimals }: Pick<TableColumn, 'decimals'>): string {
  if (cell === null || cell === '') return '–';
  if (typeof cell === 'string') return cell;
  return decimals === undefined ? plain(cell).replace('-', '−') : formatNumber(cell, decimals);
}

/** Five digits that count; whole numbers whole. */
const plain = (value: number): string =>
  Number.isInteger(value) ? String(value) : String(Number(value.toPrecision(4)));
