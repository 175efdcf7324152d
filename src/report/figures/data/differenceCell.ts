import { differenceOf } from '../../../analysis/statistics/verdict.ts';
import type { SessionSummary } from '../../sessionSummary.ts';

/** What pairs of one network come to. */
export interface DifferenceCell {
  readonly pairs: number;
  /** Mean over the pairs, first less second. */
  readonly difference: number;
  /** Of the second's mean; null where that is not above 0. */
  readonly percent: number | null;
}

/** null without a pair whose values are both known. */
export function differenceCell(
  [firsts, seconds]: readonly [readonly SessionSummary[], readonly SessionSummary[]],
  { network, metricId }: { readonly network: string | null; readonly metricId: string },
): DifferenceCell | null {
  const on = (sessions: readonly SessionSummary[]): SessionSummary[] =>
    sessions.filter((each) => each.network === network);
  const byPair = new Map(on(seconds).map(({ design, values }) => [design.pair, values[metricId] ?? null]));
  let [pairs, sum, base] = [0, 0, 0];
  for (const { design, values } of on(firsts)) {
    const [one, other] = [values[metricId] ?? null, byPair.get(design.pair) ?? null];
    if (one === null || other === null) continue;
    pairs += 1;
    sum += differenceOf(one, other);
    base += other;
  }
  if (pairs === 0) return null;
  return { pairs, difference: sum / pairs, percent: base > 0 ? (100 * sum) / base : null };
}
