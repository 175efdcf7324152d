import { multiplexingTestbed } from './multiplexingTestbed.ts';

/** 1.5 to 5 Mbit/s, 38 to 100 ms, 0.1 to 10 % loss, a step every 30 s. The lists and what the thesis leaves open: `multiplexingTestbed.ts`. */
export const np2bTypicalDelayLargeLoss = multiplexingTestbed({
  rates: 'NP2b',
  delay: 'typical',
  loss: 'large',
});
