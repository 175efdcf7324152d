import { multiplexingTestbed } from './multiplexingTestbed.ts';

/** 1.5 to 5 Mbit/s, 200 to 1300 ms, 0.1 to 10 % loss, a step every 30 s. The lists and what the thesis leaves open: `multiplexingTestbed.ts`. */
export const np2bLargeDelayLargeLoss = multiplexingTestbed({ rates: 'NP2b', delay: 'large', loss: 'large' });
