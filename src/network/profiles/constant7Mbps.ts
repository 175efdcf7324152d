import { constantRate } from './constantRate.ts';

/** 7 Mbit/s for ever. What the paper leaves open: `constantRate.ts`. */
export const constant7Mbps = constantRate(7);
