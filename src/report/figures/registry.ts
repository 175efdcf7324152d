import type { FigureMaker } from './figure.ts';
import * as all from './index.ts';

/** The figures of a report, in the order in which they stand there. */
export const figureMakers: readonly FigureMaker[] = Object.values<FigureMaker>(all).sort(
  (one, other) => one.place - other.place,
);
