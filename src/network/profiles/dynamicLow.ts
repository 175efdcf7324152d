import { ratePattern } from './ratePattern.ts';

/** Dynamic Low (DL): 640 → 384 → 128 → 384 kbit/s, a jump every 240 s. What the paper leaves open: `ratePattern.ts`. */
export const dynamicLow = ratePattern({
  id: 'dl',
  label: 'Dynamic Low',
  ratesKbps: [640, 384, 128, 384],
  keptSeconds: 240,
});
