import { ratePattern } from './ratePattern.ts';

/** Dynamic High (DH): 1152 ↔ 896 kbit/s, a jump of 256 every 240 s. What the paper leaves open: `ratePattern.ts`. */
export const dynamicHigh = ratePattern({
  id: 'dh',
  label: 'Dynamic High',
  ratesKbps: [1152, 896],
  keptSeconds: 240,
});
