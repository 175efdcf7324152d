/** The rank of each value from 1 on, in the order given; equal values share the mean of their ranks. */
export function midRanks(values: readonly number[]): number[] {
  const order = values.map((_, index) => index).sort((a, b) => values[a]! - values[b]!);
  const ranks = new Array<number>(values.length);
  for (let first = 0, next = 0; first < order.length; first = next) {
    while (next < order.length && values[order[next]!] === values[order[first]!]) next += 1;
    for (let place = first; place < next; place++) ranks[order[place]!] = (first + 1 + next) / 2;
  }
  return ranks;
}
