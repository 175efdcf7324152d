import { multiplexingTestbed } from './multiplexingTestbed.ts';

/** 0.8 to 1.4 Mbit/s, 200 to 1300 ms, 0.1 to 10 % loss, a step every 30 s. The lists and what the thesis leaves open: `multiplexingTestbed.ts`. */
export const fccLargeDelayLargeLoss = multiplexingTestbed({ rates: 'FCC', delay: 'large', loss: 'large' });
