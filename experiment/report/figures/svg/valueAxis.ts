import { niceStep } from '../../../../src/charts/axis.ts';
import type { Axis } from '../../../../src/charts/chart.ts';
import { formatNumber } from '../../../../src/shared/format.ts';

export interface ValueAxis extends Axis {
  /** The unit that ticks are written in; values stay in their own. */
  readonly unit: string;
  /** Factor from the values' unit to `unit`. */
  readonly factor: number;
}

interface ValueAxisOptions {
  readonly min: number;
  readonly max: number;
  readonly unit: string;
  /** Maximum number of parts that the axis is divided into. */
  readonly parts?: number;
  /** Whether the axis begins at 0, as areas and bars must. */
  readonly fromZero?: boolean;
}

/** Share of the range from 0 to the maximum. Where values take no more than this, an axis that leaves 0 out shows more. */
const NEAR_ZERO = 0.5;

/** Makes an axis with round numbers around the data. Values that are all the same stand in its middle. */
export function valueAxis(options: ValueAxisOptions): ValueAxis {
  const [min, max] = widened(options);
  const { unit, factor } = shownUnit(options.unit, Math.max(Math.abs(min), Math.abs(max)));
  const step = niceStep((max - min) * factor, options.parts ?? 5);
  const first = Math.floor((min * factor) / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((max * factor) / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => ({
    value: ((first + index) * step) / factor,
    label: formatTick((first + index) * step, step),
    line: true,
  }));
  return { scale: 'linear', bottom: ticks[0]!.value, top: ticks.at(-1)!.value, ticks, unit, factor };
}

function widened({ min, max, fromZero = false }: ValueAxisOptions): readonly [number, number] {
  if (fromZero || (min >= 0 && max - min > NEAR_ZERO * max)) return [Math.min(0, min), max > 0 ? max : 1];
  if (max > min) return [min, max];
  const margin = Math.abs(min) / 10 || 1;
  return min >= 0 ? [Math.max(0, min - margin), min + margin] : [min - margin, min + margin];
}

function formatTick(value: number, step: number): string {
  const digits = [0, 1, 2, 3, 4, 5, 6].find(
    (each) => Math.abs(step * 10 ** each - Math.round(step * 10 ** each)) < 1e-6,
  );
  return formatNumber(value, digits ?? 6);
}

/** Next unit for large numbers, which are easier to read in it. Tables and CSV keep the metric's own. */
const LARGER: Readonly<
  Record<string, { readonly unit: string; readonly from: number; readonly factor: number }>
> = {
  'kbit/s': { unit: 'Mbit/s', from: 1000, factor: 1e-3 },
  ms: { unit: 's', from: 10_000, factor: 1e-3 },
  B: { unit: 'MB', from: 1, factor: 1e-6 },
};

/** Returns the unit that people read values up to `max` in, and what to multiply them by. */
export function shownUnit(unit: string, max: number): { readonly unit: string; readonly factor: number } {
  const larger = Object.hasOwn(LARGER, unit) ? LARGER[unit]! : null;
  return larger && max >= larger.from ? larger : { unit, factor: 1 };
}

/** Adds its unit to a title, as axes have it. */
export const withUnit = (label: string, unit: string): string => (unit === '' ? label : `${label}, ${unit}`);

/** Formats a value as people read it beside an axis: in the axis' unit, to about a hundredth of its length. */
export function formatValue(value: number, { top, bottom, factor }: ValueAxis): string {
  // Zero needs no decimals.
  if (value === 0) return '0';
  const digits = 2 - Math.floor(Math.log10((top - bottom) * factor) + 1e-9);
  return formatNumber(value * factor, Math.min(6, Math.max(0, digits)));
}
