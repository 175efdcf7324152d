import { fixedPath } from './fixedPath.ts';

/** 5 Mbit/s and 100 ms without loss. */
export const fixed5Mbps = fixedPath(0);
