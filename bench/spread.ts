import { median } from './statistics.ts';

/** Repeats in a word: the median, and the least and the greatest in brackets. */
export function spread(values: readonly number[], text: (value: number) => string): string {
  if (values.length === 0) return 'none';
  if (values.length === 1) return text(values[0]!);
  return `${text(median(values))} (${text(Math.min(...values))} to ${text(Math.max(...values))})`;
}
