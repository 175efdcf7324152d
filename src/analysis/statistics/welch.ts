import { studentTail } from './studentTail.ts';

/** Welch's t test of two samples with variances of their own (1947), two-sided. */
export interface Welch {
  readonly t: number;
  readonly degrees: number;
  readonly p: number;
}

/** null where a sample has fewer than two values, or neither varies. */
export function welch(first: readonly number[], second: readonly number[]): Welch | null {
  const [a, b] = [meanError(first), meanError(second)];
  const both = a.squared + b.squared;
  if (!(both > 0) || first.length < 2 || second.length < 2) return null;
  const t = (a.mean - b.mean) / Math.sqrt(both);
  const degrees = both ** 2 / (a.squared ** 2 / (first.length - 1) + b.squared ** 2 / (second.length - 1));
  return { t, degrees, p: 2 * studentTail(Math.abs(t), degrees) };
}

function meanError(values: readonly number[]): { mean: number; squared: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, squared: squares / (values.length - 1) / values.length };
}
