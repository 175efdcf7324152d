import { mbpsFromKbps } from '../units.ts';

/** A rate for people: 1450 kbit/s is "1.45 Mbit/s", a null is its reason. */
export function mbpsText(rateKbps: number | null, why = 'unknown', digits = 2): string {
  return rateKbps === null ? why : `${mbpsFromKbps(rateKbps).toFixed(digits)} Mbit/s`;
}
