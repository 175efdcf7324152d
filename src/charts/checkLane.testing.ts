import type { Axis, View } from './chart.ts';
import type { Mark } from './marks/mark.ts';
import { ROW_COUNT } from './lanes/waterfall.ts';

/** Columns of a mark in which NaN has a meaning: a break in a line, an unknown first byte, an empty cell. */
const MAY_BE_NAN: Readonly<Record<string, readonly string[]>> = {
  line: ['ys'],
  spans: ['midMs'],
  cells: ['numbers'],
};

/** Most shapes per column of pixels: first, least, greatest and last of a line; a bar per protocol; rows, rules. */
const MAX_PER_COLUMN: Readonly<Record<Mark['kind'], number>> = {
  line: 4,
  dots: 1,
  bars: 4,
  spans: ROW_COUNT,
  cells: 8,
  texts: 1,
  wash: 1,
  hatch: 1,
  flags: 1,
};
/** A line's last value held until now, the neighbours outside the view. */
const SPARE = 8;

/** What the contract tests ask of a mark; one sentence per fault. */
export function markFaults(mark: Mark, { maxPoints }: View): string[] {
  const columns = Object.entries(mark).filter((entry): entry is [string, ArrayLike<unknown>] =>
    isColumn(entry),
  );
  const lengths = new Set(
    columns.filter(([name]) => name !== 'tones' && name !== 'dash').map(([, { length }]) => length),
  );
  const max = maxPoints * MAX_PER_COLUMN[mark.kind] + SPARE;
  return [
    ...(lengths.size > 1 ? [`${mark.kind}: columns of unequal length`] : []),
    ...[...lengths]
      .filter((length) => length > max)
      .map((length) => `${mark.kind}: ${length} shapes, space for ${max}`),
    ...columns.flatMap(([name, column]) => columnFaults(mark.kind, name, column)),
  ];
}

export function axisFaults(name: string, { bottom, top, ticks }: Axis): string[] {
  const numbers = [bottom, top, ...ticks.map(({ value }) => value)];
  return [
    ...(numbers.every(Number.isFinite) ? [] : [`${name} axis: not finite`]),
    ...(bottom === top ? [`${name} axis: has no length`] : []),
    ...(ticks.some(({ label }) => /NaN|undefined|Infinity/.test(label))
      ? [`${name} axis: a label is no number`]
      : []),
  ];
}

const isColumn = ([, value]: readonly [string, unknown]): boolean =>
  Array.isArray(value) || ArrayBuffer.isView(value);

function columnFaults(kind: string, name: string, column: ArrayLike<unknown>): string[] {
  const mayBeNaN = MAY_BE_NAN[kind]?.includes(name) ?? false;
  const wrong = Array.from(column).find(
    (each) => typeof each === 'number' && !(Number.isFinite(each) || (mayBeNaN && Number.isNaN(each))),
  );
  return wrong === undefined ? [] : [`${kind}: ${name} has ${String(wrong)}`];
}
