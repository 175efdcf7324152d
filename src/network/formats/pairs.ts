import { readingOf } from '../textFault.ts';
import { textRows } from '../textRows.ts';
import { traceFromStarts } from '../traceFrom.ts';
import type { TraceFormat } from '../traceFormat.ts';
import { sampleOf, SLOWEST_KBPS, twoColumns, type ColumnUnits } from '../twoColumns.ts';

const UNITS: ColumnUnits = { time: { unit: 'ms', ms: 1 }, rate: { unit: 'kbit/s', kbps: 1 } };

/** Seldom does anybody sample more often: else it is not ms. */
const SHORTEST_STEP_MS = 20;

/** Two columns: from when on, and how fast. The first time is the trace's zero, whatever it is. */
export const pairs: TraceFormat = {
  id: 'pairs',
  label: 'Pairs',
  meaning: 'lines of "ms kbit/s"; a rate holds from its time until the next',
  looksLike(text) {
    const columns = twoColumns(text);
    return columns !== null && columns.meanStep >= SHORTEST_STEP_MS && columns.largestRate >= SLOWEST_KBPS;
  },
  read: (text, name) =>
    readingOf(name, () =>
      traceFromStarts(
        textRows(text).map((row) => sampleOf(row, UNITS)),
        name,
      ),
    ),
};
