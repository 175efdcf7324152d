import { cellOf, csvTable } from './csv.ts';
import { readingOf, TextFault } from '../text/textFault.ts';
import { amountOf, mapRows, type TextRow } from '../text/textRows.ts';
import { traceFromDurations, type TraceFormat } from './traceFormat.ts';

/** What Pensieve makes of one page fetch: 5 s at its rate (section 5.1 of the paper: "5 second granularity"). */
const FETCH_MS = 5000;

/** bytes/s in kbit/s. */
const KBPS = 8e-3;

/**
 * The raw web browsing tests of the FCC (Measuring Broadband America, `curr_webget.csv`), as Pensieve and those after it
 * take them: the fetches of one unit from one target in a row, 5 s each, however far apart they were made.
 */
export const fcc: TraceFormat = {
  id: 'fcc',
  label: 'FCC raw',
  meaning: 'curr_webget.csv cut to one unit_id and target; each fetch is 5 s at its bytes_sec',
  looksLike: (text) => csvTable(text.slice(0, 2000))?.header.includes('unit_id') ?? false,
  read: (text, name) =>
    readingOf(name, () => {
      const { header, rows } = csvTable(text) ?? { header: [], rows: [] };
      const [unit, target, rate] = ['unit_id', 'target', 'bytes_sec'].map((column) =>
        header.indexOf(column),
      ) as [number, number, number];
      if (unit < 0 || target < 0 || rate < 0)
        throw new TextFault('It needs the columns unit_id, target and bytes_sec.', { line: 1, column: 1 });
      let first: TextRow | null = null;
      const samples = mapRows(rows, (row) => {
        first ??= row;
        mustBeSame(first, row, { column: unit, name: 'unit_id' });
        mustBeSame(first, row, { column: target, name: 'target' });
        return sampleOf(row, rate);
      });
      return traceFromDurations(samples, name);
    }),
};

function mustBeSame(first: TextRow, row: TextRow, { column, name }: { column: number; name: string }): void {
  const [one, other] = [cellOf(first, column, name), cellOf(row, column, name)];
  if (one.text !== other.text)
    throw new TextFault(`A second ${name} begins; cut the file to one unit_id and one target.`, other.place);
}

function sampleOf(row: TextRow, column: number) {
  const field = cellOf(row, column, 'bytes_sec');
  const rateKbps = amountOf(field, 'bytes_sec') * KBPS;
  return { timeMs: FETCH_MS, rateKbps, rttMs: null, place: field.place };
}
