import type { Interval } from '../src/analysis/statistics/intervals.ts';

/** One measured number with what is asked of it. */
export interface Figure {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  /** 95 % interval of the value; null where it was measured once. */
  readonly interval: Interval | null;
  /** The value must not be greater; null for a figure that only informs. */
  readonly goalMax: number | null;
  /** The value must not be less; absent where only `goalMax` counts. */
  readonly goalMin?: number;
  /** What others need or reach, with its source; shown beside, never a goal. */
  readonly known?: string;
}

type Judged = Pick<Figure, 'value' | 'goalMax' | 'goalMin'>;

export const isAsked = ({ goalMax, goalMin }: Judged): boolean => goalMax !== null || goalMin !== undefined;

/** "met", "NOT met", or nothing where nothing is asked. */
export function verdictOf(figure: Judged): string {
  if (!isAsked(figure)) return '';
  const { value, goalMax, goalMin = -Infinity } = figure;
  return value <= (goalMax ?? Infinity) && value >= goalMin ? 'met' : 'NOT met';
}
