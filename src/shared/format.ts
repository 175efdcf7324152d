import { mbpsFromKbps } from './units.ts';

/**
 * Formats numbers, times and counts for people: one function per kind of number. A minus is a minus sign and no
 * hyphen, and a value that rounds to zero has no sign.
 */

/** Keeps a number and its unit on one line. */
export const NO_BREAK = '\u00a0';

/** A value with that many decimals; `unknown` for null and for what is no number. */
export function formatNumber(value: number | null, decimals: number, unknown = 'unknown'): string {
  if (value === null || !Number.isFinite(value)) return unknown;
  const digits = value.toFixed(decimals);
  return digits.replace('-', Number(digits) === 0 ? '' : '−');
}

/** A difference: "+1.5", "−1.5", "0.0". */
export function formatSigned(value: number, decimals = 0): string {
  const digits = formatNumber(value, decimals);
  return Number(digits) > 0 ? `+${digits}` : digits;
}

/** How many there are, thousands apart from 10,000 on. */
export const formatInteger = (count: number): string =>
  count < 10_000 ? String(count) : count.toLocaleString('en-US', { maximumFractionDigits: 20 });

/** "1 stall", "2 stalls", "12,000 stalls". */
export const formatCount = (count: number, noun: string, plural = `${noun}s`): string =>
  `${formatInteger(count)} ${count === 1 ? noun : plural}`;

/** A share: 0.335 is "34 %". */
export const formatPercent = (share: number, { decimals = 0, space = ' ' } = {}): string =>
  `${formatNumber(share * 100, decimals)}${space}%`;

/** The confidence of an interval whose error is alpha: 0.025 is "97.5 %", with two or three digits of alpha. */
export const formatConfidence = (alpha: number): string =>
  `${Number((100 * (1 - alpha)).toFixed(-Math.floor(Math.log10(alpha))))} %`;

/** A moment as m:ss, from an hour on h:mm:ss, rounded; `tenths` adds one digit. A time below zero is "0:00". */
export function formatClock(ms: number, tenths = false): string {
  const unit = tenths ? 100 : 1000;
  const rounded = Math.round(Math.max(0, ms) / unit) * unit;
  const seconds = Math.floor(rounded / 1000);
  const two = (value: number): string => String(value).padStart(2, '0');
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  const head = hours > 0 ? `${hours}:${two(minutes)}` : String(minutes);
  const tail = tenths ? `.${Math.floor((rounded % 1000) / 100)}` : '';
  return `${head}:${two(seconds % 60)}${tail}`;
}

/** A running clock, which counts the seconds that have passed. An unknown time is "0:00". */
export const formatElapsed = (ms: number): string =>
  formatClock(Number.isFinite(ms) ? Math.floor(ms / 1000) * 1000 : 0);

/** A size in decimal units, as file managers show it: 412_300 bytes is "412 kB". */
export function formatSize(sizeBytes: number): string {
  if (sizeBytes < 1000) return `${sizeBytes} bytes`;
  if (sizeBytes < 999_500) return `${Math.round(sizeBytes / 1000)} kB`;
  return `${(sizeBytes / 1e6).toFixed(sizeBytes < 99.5e6 ? 1 : 0)} MB`;
}

/** A rate: 1450 kbit/s is "1.45 Mbit/s", 1 514 890 is "1515 Mbit/s"; null is `unknown`. */
export function formatMbps(rateKbps: number | null, unknown = 'unknown'): string {
  if (rateKbps === null) return unknown;
  const mbps = mbpsFromKbps(rateKbps);
  return `${mbps.toFixed(mbps < 100 ? 2 : 0)} Mbit/s`;
}

/** The unit of a difference, as in a sentence: a difference of percentages is in percentage points. */
export const formatUnit = (unit: string): string =>
  unit === '%' ? ' percentage points' : unit ? ` ${unit}` : '';

/** As many decimals as show two digits of an interval's width; of the value where there is none. */
export function decimalsOf(interval: readonly [number, number] | null, value: number): number {
  const size = (interval ? interval[1] - interval[0] : 0) || Math.abs(value);
  return size > 0 ? Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(size)))) : 0;
}

/** A probability in two digits, as in `= 0.021` and `< 0.0001`. */
export const formatP = (p: number): string => (p < 0.0001 ? '< 0.0001' : `= ${Number(p.toPrecision(2))}`);

/** A value of a query, encoded. ':', '/' and '=' are legal there (RFC 3986 §3.4) and keep an address readable. */
export const formatQueryValue = (text: string): string =>
  encodeURIComponent(text).replace(/%(3A|2F|3D)/g, decodeURIComponent);

/** How segments are requested, as a link has it: `6`, or with a priority `1:audio-first`; empty for whole ones without. */
export const formatSplit = ({ split, priority }: { split?: number; priority?: string }): string =>
  priority ? `${split ?? 1}:${priority}` : `${split ?? ''}`;
