import { alignedTime, type Alignment } from '../../analysis/comparison/alignedTime.ts';
import type { Comparison } from '../../charts/compare/comparedSession.ts';
import { sessionLooks } from '../../charts/compare/sessionLooks.ts';
import type { OpenSession } from './openSession.ts';

/** Open sessions as the charts take them; letters go by their order. Null without any. */
export function comparisonOf(
  sessions: readonly OpenSession[],
  { reference, chosen, alignment }: { reference: number; chosen: number | null; alignment: Alignment },
): Comparison | null {
  const looks = sessionLooks(sessions.map(({ log: { header } }) => header.environment));
  const compared = sessions.map(({ log: { series } }, place) => ({
    series,
    time: alignedTime(series, alignment),
    look: looks[place]!,
  }));
  const first = compared[reference] ?? compared[0];
  if (!first) return null;
  return {
    sessions: compared,
    reference: first,
    chosen: chosen === null ? null : (compared[chosen] ?? null),
  };
}
