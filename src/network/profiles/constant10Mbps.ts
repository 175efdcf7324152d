import { constantRate } from './constantRate.ts';

/** 10 Mbit/s for ever. What the paper leaves open: `constantRate.ts`. */
export const constant10Mbps = constantRate(10);
