/**
 * All of these numbers in ascending order, or at most so many that stand for them: order statistics at equal steps, from
 * the middle of the first step to the middle of the last, so that each stands for as many.
 */
export function standIns(values: readonly number[], max: number): number[] {
  const sorted = values.toSorted((a, b) => a - b);
  if (sorted.length <= max) return sorted;
  return Array.from(
    { length: max },
    (_, place) => sorted[Math.floor(((place + 0.5) * sorted.length) / max)]!,
  );
}
