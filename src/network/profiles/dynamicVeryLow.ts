import { ratePattern } from './ratePattern.ts';

/**
 * Dynamic Very Low (DVL): 64 → 128 → 192 → 256 → 192 → 128 kbit/s, a jump every 60 s. What the paper leaves open:
 * `ratePattern.ts`.
 */
export const dynamicVeryLow = ratePattern({
  id: 'dvl',
  label: 'Dynamic Very Low',
  ratesKbps: [64, 128, 192, 256, 192, 128],
  keptSeconds: 60,
});
