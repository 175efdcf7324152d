import { constantRate } from './constantRate.ts';

/** 5 Mbit/s for ever. What the paper leaves open: `constantRate.ts`. */
export const constant5Mbps = constantRate(5);
