import type { Pairs } from './pairs.ts';
import { differenceOf } from '../../src/analysis/statistics/verdict.ts';

/** First less second, of each pair. */
export const differencesOf = (values: Pairs['values']): number[] =>
  values.map(([a, b]) => differenceOf(a, b));

/** null where a value is not above 0: it has no ratio. */
export const logRatiosOf = (values: Pairs['values']): number[] | null =>
  values.every((pair) => pair.every((value) => value > 0))
    ? values.map(([a, b]) => (differenceOf(a, b) === 0 ? 0 : Math.log(a / b)))
    : null;
