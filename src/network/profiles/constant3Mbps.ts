import { constantRate } from './constantRate.ts';

/** 3 Mbit/s for ever. What the paper leaves open: `constantRate.ts`. */
export const constant3Mbps = constantRate(3);
