import type { OptimumReport } from './optimumReport.ts';

/** Known figures were rounded to cells of time. */
const TOLERANCE_QOE = 0.05;

/** Whether a policy is no worse than the known one and the bound no higher; true where nothing is known. */
export const isWithinAnchors = ({ aboveKnownPolicy, belowKnownBound }: OptimumReport): boolean =>
  (aboveKnownPolicy ?? 0) >= -TOLERANCE_QOE && (belowKnownBound ?? 0) >= -TOLERANCE_QOE;
