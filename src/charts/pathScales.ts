import type { SessionSeries } from '../analysis/timeline/series.ts';
import { axisFromZero } from './axis.ts';
import type { Axis } from './chart.ts';

/** A column of the paths, and how it is drawn. */
export interface PathScale {
  readonly column: 'rttMs' | 'cwndBytes' | 'cwndPackets';
  readonly unit: string;
  /** Of a value of the column to one of the axis. */
  readonly factor: number;
  readonly axis: Axis;
}

/** The strip above the lines, where losses are marked, as a share of their height. */
const HEADROOM = 1.3;

/** Round trips in ms, from half a second on in s; null where no source reported any. */
export const rttScale = ({ maxPath: { rttMs } }: SessionSeries): PathScale | null =>
  rttMs < 500 ? scale('rttMs', rttMs, 'ms', 1) : scale('rttMs', rttMs, 's', 1e-3);

/** Windows in bytes where a source reported bytes; packets of unknown length beside them are not drawn. */
export function cwndScale({ maxPath: { cwndBytes, cwndPackets } }: SessionSeries): PathScale | null {
  if (cwndBytes >= 5e5) return scale('cwndBytes', cwndBytes, 'MB', 1e-6);
  return scale('cwndBytes', cwndBytes, 'kB', 1e-3) ?? scale('cwndPackets', cwndPackets, 'pkt', 1);
}

function scale(column: PathScale['column'], max: number, unit: string, factor: number): PathScale | null {
  if (max <= 0) return null;
  const axis = axisFromZero({ max: max * factor, unit, parts: 2 });
  // "50.0 ms" is wider than the right edge of a narrow page.
  const ticks = axis.ticks.map((tick) => ({ ...tick, label: tick.label.replace(/\.0(?!\d)/, '') }));
  return { column, unit, factor, axis: { ...axis, ticks, top: axis.top * HEADROOM } };
}
