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
  let [first, least, most, last] = [-1, -1, -1, -1];
  for (let row = from; row < to; row += 1) {
    if (keeps && !keeps(row)) continue;
    if (first === -1) first = least = most = row;
    if (values[row]! < values[least]!) least = row;
    else if (values[row]! > values[most]!) most = row;
    last = row;
  }
  const rows = least < most ? [first, least, most, last] : [first, most, least, last];
  return rows.filter((row, index) => row !== -1 && row !== rows[index - 1]);
}
