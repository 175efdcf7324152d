import { multiplexingTestbed } from './multiplexingTestbed.ts';

/** 0.8 to 1.4 Mbit/s, 38 to 100 ms, 0.1 to 10 % loss, a step every 30 s. The lists and what the thesis leaves open: `multiplexingTestbed.ts`. */
export const fccTypicalDelayLargeLoss = multiplexingTestbed({
  rates: 'FCC',
  delay: 'typical',
  loss: 'large',
});
