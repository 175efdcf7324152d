import type { VerdictLine } from '../model/verdictLines.ts';
import { quantile } from '../../analysis/statistics/summaries.ts';

/** What the strips of several comparisons show, from the least to the most difference; one for all, so that they compare. */
export function stripRange(lines: readonly VerdictLine[], margin: number): readonly [number, number] {
  const ends = lines.flatMap(({ interval, differences }) => [
    ...(interval ?? []),
    // A few pairs far out would press all others into one line; they stand at the edge.
    ...(differences.length > 0 ? [quantile(differences, 0.05), quantile(differences, 0.95)] : []),
  ]);
  const [min, max] = [Math.min(0, -margin, ...ends), Math.max(0, margin, ...ends)];
  const span = max - min || 1;
  return [min - MARGIN * span, max + MARGIN * span];
}

const MARGIN = 0.06;
