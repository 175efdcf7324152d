import type { Interval } from '../src/analysis/bootstrap.ts';

/** One measured number with what is asked of it. */
export interface Figure {
  readonly id: string;
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  /** 95 % interval of the value; null where it was measured once. */
  readonly interval: Interval | null;
  /** The value must not be greater; null for a figure that only informs. */
  readonly goalMost: number | null;
}

/** "met", "NOT met", or nothing where nothing is asked. */
export function verdictOf({ value, goalMost }: Pick<Figure, 'value' | 'goalMost'>): string {
  if (goalMost === null) return '';
  return value <= goalMost ? 'met' : 'NOT met';
}
