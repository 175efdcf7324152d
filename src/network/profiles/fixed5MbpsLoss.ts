import { fixedPath } from './fixedPath.ts';

/** The same with a loss of 1 %. */
export const fixed5MbpsLoss = fixedPath(0.01);
