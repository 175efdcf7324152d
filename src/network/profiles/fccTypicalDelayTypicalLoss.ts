import { multiplexingTestbed } from './multiplexingTestbed.ts';

/** 0.8 to 1.4 Mbit/s, 38 to 100 ms, 0.06 to 0.12 % loss, a step every 30 s. The lists and what the thesis leaves open: `multiplexingTestbed.ts`. */
export const fccTypicalDelayTypicalLoss = multiplexingTestbed({
  rates: 'FCC',
  delay: 'typical',
  loss: 'typical',
});
