import type { Axis } from '../../../charts/chart.ts';

/** Where a value of an axis is, px; values outside lie on its ends. */
export type Place = (value: number) => number;

/** `from` is the px of the axis' bottom, `to` that of its top. */
export function place({ scale, bottom, top }: Axis, from: number, to: number): Place {
  const along =
    scale === 'log' ? (value: number) => Math.log(Math.max(value, bottom)) : (value: number) => value;
  const [min, max] = [along(bottom), along(top)];
  return (value) => from + ((to - from) * (Math.min(max, Math.max(min, along(value))) - min)) / (max - min);
}
