import { mbpsFromKbps } from '../shared/units.ts';

/** A rate for people: 1450 kbit/s is "1.45 Mbit/s", 1 514 890 is "1515 Mbit/s", a null is its reason. */
export function formatMbps(rateKbps: number | null, why = 'unknown'): string {
  if (rateKbps === null) return why;
  const mbps = mbpsFromKbps(rateKbps);
  return `${mbps.toFixed(mbps < 100 ? 2 : 0)} Mbit/s`;
}
