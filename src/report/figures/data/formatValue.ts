import type { ValueAxis } from '../svg/valueAxis.ts';
import { formatNumber } from '../../../shared/format.ts';

/** A value as people read it beside an axis: in the axis' unit, to about a hundredth of its length. */
export function formatValue(value: number, { top, bottom, factor }: ValueAxis): string {
  // Zero needs no decimals.
  if (value === 0) return '0';
  const digits = 2 - Math.floor(Math.log10((top - bottom) * factor) + 1e-9);
  const text = formatNumber(value * factor, Math.min(6, Math.max(0, digits)));
  return /^\u2212[0.]+$/.test(text) ? text.slice(1) : text;
}
