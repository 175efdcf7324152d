import type { Axis, Tick } from './chart.ts';
import { NO_BREAK } from '../shared/format.ts';

/** Steps an eye divides easily. */
const STEPS = [1, 2, 2.5, 5, 10];

/** The smallest step of the form 1, 2, 2.5, 5 × 10ⁿ that cuts `range` into at most `max` parts. */
export function niceStep(range: number, max: number): number {
  const rough = Math.max(range, 1e-6) / max;
  const power = 10 ** Math.floor(Math.log10(rough));
  return (STEPS.find((step) => step * power >= rough * (1 - 1e-9)) ?? 10) * power;
}

/** From 0 to a round number at or above `max`; the top tick carries the unit. `headroom` leaves space above it. */
export function axisFromZero({
  max,
  unit,
  parts = 3,
  headroom = 1,
}: {
  max: number;
  unit: string;
  parts?: number;
  headroom?: number;
}): Axis {
  const step = niceStep(max, parts);
  const count = Math.max(1, Math.ceil(max / step - 1e-9));
  const digits = Math.max(0, -Math.floor(Math.log10(step) + 1e-9)) + (isHalfStep(step) ? 1 : 0);
  const ticks = Array.from({ length: count + 1 }, (_, index): Tick => {
    // The gutter of a small screen has no room for `1.0 Mbit/s`.
    const isShort = index === 0 || (index === count && Number.isInteger(count * step));
    const label = (index * step).toFixed(isShort ? 0 : digits);
    return { value: index * step, label: index === count ? `${label}${NO_BREAK}${unit}` : label, line: true };
  });
  return { scale: 'linear', bottom: 0, top: count * step * headroom, ticks };
}

/** Whole decades around the data. */
export function logAxis(min: number, max: number, unit: string): Axis {
  const low = Math.floor(Math.log10(Math.max(min, 0.01)) + 1e-9);
  const high = Math.max(low + 1, Math.ceil(Math.log10(Math.max(max, 0.1)) - 1e-9));
  const ticks = Array.from({ length: high - low + 1 }, (_, index): Tick => {
    const label = String(Number((10 ** (low + index)).toPrecision(1)));
    return {
      value: 10 ** (low + index),
      label: index === high - low ? `${label}${NO_BREAK}${unit}` : label,
      line: true,
    };
  });
  return { scale: 'log', bottom: 10 ** low * 0.8, top: 10 ** high * 1.25, ticks };
}

const isHalfStep = (step: number): boolean => {
  const mantissa = step / 10 ** Math.floor(Math.log10(step) + 1e-9);
  return Math.abs(mantissa - 2.5) < 1e-6;
};

const SECONDS = [
  1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
];

/** Round moments in a view, ms: at most `max` of them. */
export function timeTicks(fromMs: number, toMs: number, max: number): number[] {
  const spanMs = Math.max(1, toMs - fromMs);
  const days = 86_400_000 * Math.ceil(spanMs / 86_400_000 / max);
  const stepMs = (SECONDS.find((seconds) => spanMs / (seconds * 1000) <= max) ?? days / 1000) * 1000;
  const first = Math.ceil(fromMs / stepMs - 1e-6);
  const count = Math.max(0, Math.floor(toMs / stepMs + 1e-6) - first + 1);
  return Array.from({ length: count }, (_, index) => (first + index) * stepMs);
}
