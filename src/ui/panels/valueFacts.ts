import { secondsFromMs } from '../../shared/units.ts';
import type { Fact } from './decisionFacts.ts';
import { formatMbps, formatSize } from '../../shared/format.ts';

/** What the end of a value's name says of its number: the unit, or what it counts. */
const UNITS: readonly (readonly [suffix: string, say: (value: number) => string])[] = [
  ['Kbps', (kbps) => formatMbps(kbps)],
  ['Ms', (ms) => (Math.abs(ms) < 1000 ? `${plain(ms)} ms` : `${secondsFromMs(ms).toFixed(1)} s`)],
  ['Bytes', formatSize],
  ['Rung', (rung) => (Number.isInteger(rung) ? `rung ${rung + 1}` : plain(rung))],
  ['Share', (share) => `${plain(share * 100)} %`],
];

/** Where no number does not mean that there is nothing. */
const UNKNOWN: Readonly<Record<string, string>> = { outsideInputs: 'unknown: not in the weights' };

/** How the probability of a rung is called, before its number from 0. They stand in the ladder. */
export const ODDS = 'probability';
const IN_LADDER = new RegExp(`^${ODDS}\\d`);

/** The numbers behind a choice, as people read them: `estimateKbps: 2310` is "Estimate 2.31 Mbit/s". */
export function valueFacts(values: Readonly<Record<string, number | null>>): readonly Fact[] {
  return Object.entries(values)
    .filter(([name]) => !IN_LADDER.test(name))
    .map(([name, value]) => {
      const [suffix, say] = UNITS.find(([suffix]) => name.endsWith(suffix) && name !== suffix) ?? ['', plain];
      return [
        labelOf(name.slice(0, name.length - suffix.length), suffix),
        value === null ? (UNKNOWN[name] ?? 'none') : say(value),
      ];
    });
}

/** "cushionEnd" is "Cushion end"; a rung and a share stay in the label, because their numbers do not say it. */
function labelOf(name: string, suffix: string): string {
  const words = `${name}${suffix === 'Share' ? 'Share' : ''}`
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replace(/\bqoe\b/, 'QoE');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Three digits that count, without an exponent. */
function plain(value: number): string {
  if (value !== 0 && Math.abs(value) < 0.001) return value > 0 ? '< 0.001' : '> −0.001';
  const digits = Math.abs(value) < 1000 ? Number(value.toPrecision(3)) : Math.round(value);
  return String(digits).replace('-', '−');
}
