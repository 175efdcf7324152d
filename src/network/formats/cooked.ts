import { readingOf, TextFault } from '../textFault.ts';
import { textRows } from '../textRows.ts';
import { traceFromEnds } from '../traceFrom.ts';
import type { TraceFormat } from '../traceFormat.ts';
import { sampleOf, SLOWEST_KBPS, twoColumns, type ColumnUnits } from '../twoColumns.ts';

const UNITS: ColumnUnits = { time: { unit: 's', ms: 1000 }, rate: { unit: 'Mbit/s', kbps: 1000 } };

/** Seldom does anybody sample less often, unless the rate is no kbit/s either; and no access link is faster. */
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
    if (columns === null || columns.largestRate > FASTEST_MBPS) return false;
    return columns.meanStep <= LONGEST_STEP_S || columns.largestRate < SLOWEST_KBPS;
  },
  read: (text, name) =>
    readingOf(name, () => {
      const [first, ...rest] = textRows(text).map((row) => sampleOf(row, UNITS));
      if (!first || rest.length === 0)
        throw new TextFault('It needs two lines or more: the first only says when the trace begins.');
      return traceFromEnds(rest, { name, startMs: first.timeMs });
    }),
};
