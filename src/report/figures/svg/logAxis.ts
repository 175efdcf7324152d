import type { ValueAxis } from './valueAxis.ts';

const STEPS = [1, 2, 5];
/** More labels than this run into each other. */
const MAX_TICKS = 7;

/** From a round number to a round number, 1, 2, 5, 10 …; what is 0 or less stands at the lower end. */
export function logAxis({ min, max }: { min: number; max: number }, unit: string): ValueAxis {
  const low = Math.max(min, max / 1e6, 1e-6);
  const rounds = roundNumbers(Math.floor(Math.log10(low)) - 1, Math.ceil(Math.log10(Math.max(max, low))) + 1);
  const bottom = rounds.findLast((each) => each <= low * (1 + 1e-9))!;
  const top = rounds.find((each) => each >= max * (1 - 1e-9) && each > bottom)!;
  const within = rounds.filter((each) => each >= bottom && each <= top);
  const values =
    within.length <= MAX_TICKS
      ? within
      : within.filter((each) => Number.isInteger(rounded(Math.log10(each))));
  const ticks = values.map((value) => ({ value, label: String(value), line: true }));
  return { scale: 'log', bottom, top, ticks, unit, factor: 1 };
}

const roundNumbers = (from: number, to: number): number[] =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    STEPS.map((step) => Number(`${step}e${from + index}`)),
  ).flat();

const rounded = (value: number): number => Math.round(value * 1e9) / 1e9;
