import { niceStep } from '../../../charts/axis.ts';
import type { Axis } from '../../../charts/chart.ts';
import { fixed } from '../../../charts/words.ts';
import { shownUnit } from './shownUnit.ts';

export interface ValueAxis extends Axis {
  /** The unit that ticks are written in; values stay in their own. */
  readonly unit: string;
  /** From the values' unit to that. */
  readonly factor: number;
}

interface ValueAxisOptions {
  readonly least: number;
  readonly most: number;
  readonly unit: string;
  /** Into so many parts at most. */
  readonly parts?: number;
  /** Begins at 0, as areas and bars must. */
  readonly fromZero?: boolean;
}

/** Of all that lies between 0 and the most, values take this much before an axis that leaves 0 out tells more. */
const NEAR_ZERO = 0.5;

/** Round numbers round the data. Values that are all the same stand in its middle. */
export function valueAxis(options: ValueAxisOptions): ValueAxis {
  const [least, most] = widened(options);
  const { unit, factor } = shownUnit(options.unit, Math.max(Math.abs(least), Math.abs(most)));
  const step = niceStep((most - least) * factor, options.parts ?? 5);
  const first = Math.floor((least * factor) / step + 1e-9);
  const last = Math.max(first + 1, Math.ceil((most * factor) / step - 1e-9));
  const ticks = Array.from({ length: last - first + 1 }, (_, index) => ({
    value: ((first + index) * step) / factor,
    label: tickText((first + index) * step, step),
    line: true,
  }));
  return { scale: 'linear', bottom: ticks[0]!.value, top: ticks.at(-1)!.value, ticks, unit, factor };
}

function widened({ least, most, fromZero = false }: ValueAxisOptions): readonly [number, number] {
  if (fromZero || (least >= 0 && most - least > NEAR_ZERO * most))
    return [Math.min(0, least), most > 0 ? most : 1];
  if (most > least) return [least, most];
  const room = Math.abs(least) / 10 || 1;
  return least >= 0 ? [Math.max(0, least - room), least + room] : [least - room, least + room];
}

function tickText(value: number, step: number): string {
  const digits = [0, 1, 2, 3, 4, 5, 6].find(
    (each) => Math.abs(step * 10 ** each - Math.round(step * 10 ** each)) < 1e-6,
  );
  return fixed(value + 0, digits ?? 6);
}
