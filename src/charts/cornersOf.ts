import type { Rows } from './thinPoints.ts';

/**
 * The rows among `from … to - 1` with the first, the least, the greatest and the last value, ascending and each once:
 * on one column of pixels a line through them is the line through all (M4, Jugel et al., PVLDB 7(10), 2014).
 */
export function cornersOf(
  { values, keeps }: Pick<Rows, 'values' | 'keeps'>,
  from: number,
  to: number,
): number[] {
  let [first, min, max, last] = [-1, -1, -1, -1];
  for (let row = from; row < to; row += 1) {
    if (keeps && !keeps(row)) continue;
    if (first === -1) first = min = max = row;
    if (values[row]! < values[min]!) min = row;
    else if (values[row]! > values[max]!) max = row;
    last = row;
  }
  const rows = min < max ? [first, min, max, last] : [first, max, min, last];
  return rows.filter((row, index) => row !== -1 && row !== rows[index - 1]);
}
