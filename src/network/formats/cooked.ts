import { readingOf, TextFault } from '../textFault.ts';
import { amountOf, fieldAt, textRows, type TextRow } from '../textRows.ts';
import type { TraceFormat } from '../traceFormat.ts';
import { traceOf, type Piece } from '../traceOf.ts';
import { twoColumns } from '../twoColumns.ts';

/** Longer than any sampling of the field, and faster than any link in it: then it is not seconds, not Mbit/s. */
const LONGEST_STEP_S = 60;
const FASTEST_MBPS = 10_000;

/**
 * What Pensieve's simulator reads (`sim/load_trace.py`, `fixed_env.py`): line i says that its rate held from the time
 * of line i−1 to its own. So the first line only says when the trace begins; its rate is never used.
 */
export const cooked: TraceFormat = {
  id: 'cooked',
  label: 'Pensieve-cooked',
  meaning: 'lines of "seconds Mbit/s"; a rate held up to its time',
  looksLike(text) {
    const columns = twoColumns(text);
    return columns !== null && columns.meanStep <= LONGEST_STEP_S && columns.largestRate <= FASTEST_MBPS;
  },
  read: (text, name) =>
    readingOf(name, () => {
      const [first, ...rest] = textRows(text).map(pieceOf);
      if (!first || rest.length === 0)
        throw new TextFault('It needs two lines or more: the first only says when the trace begins.');
      return traceOf(rest, { name, startMs: first.endMs });
    }),
};

function pieceOf(row: TextRow): Piece {
  const time = fieldAt(row, 0, 'The time in s');
  const rate = fieldAt(row, 1, 'The rate in Mbit/s');
  if (row[2]) throw new TextFault(`There is more than a time and a rate: "${row[2].text}".`, row[2].place);
  return {
    endMs: amountOf(time, 'The time in s') * 1000,
    rateKbps: amountOf(rate, 'The rate in Mbit/s') * 1000,
    rttMs: null,
    place: time.place,
  };
}
