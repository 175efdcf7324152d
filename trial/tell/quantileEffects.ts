import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { quantileOf } from '../../src/analysis/statistics/summaries.ts';
import { sizeFor, type Sample } from './samples.ts';

/** A difference of one quantile between two arms. */
export interface QuantileEffect {
  /** Share of sessions below the quantile. */
  readonly share: number;
  readonly treated: number;
  readonly control: number;
  /** 95 % interval of the difference, as if nobody had looked before. */
  readonly interval: Interval;
}

export const QUANTILES = [0.5, 0.9, 0.95, 0.99] as const;
const Z_95 = 1.959964;

/**
 * Computes differences of quantiles. The error of each quantile is that of the share of values below it, with clusters, carried to the
 * values at both ends of its interval (Liu, Sun, Varshney and Xu 2019, "Large-scale online experimentation with quantile metrics").
 */
export function quantileEffects(sample: Sample): QuantileEffect[] {
  const arms = ([1, 0] as const).map((arm) => armValues(sample, arm)) as [ArmValues, ArmValues];
  if (arms.some(({ values }) => values.length === 0)) return [];
  return QUANTILES.map((share) => {
    const [treated, control] = arms.map((arm) => estimateOf(arm, share)) as [Quantile, Quantile];
    const difference = treated.value - control.value;
    const half = Z_95 * Math.hypot(treated.error, control.error);
    return {
      share,
      treated: treated.value,
      control: control.value,
      interval: [difference - half, difference + half],
    };
  });
}

interface ArmValues {
  readonly values: Float64Array;
  readonly clusters: Int32Array;
  readonly find: (share: number) => number;
}

interface Quantile {
  readonly value: number;
  readonly error: number;
}

function armValues({ values, clusters, isTreated }: Sample, arm: 0 | 1): ArmValues {
  const [own, numbers] = [new Float64Array(values.length), new Int32Array(values.length)];
  let size = 0;
  for (let row = 0; row < values.length; row++) {
    if (isTreated[row] !== arm) continue;
    own[size] = values[row]!;
    numbers[size++] = clusters[row]!;
  }
  const found = own.subarray(0, size);
  return { values: found, clusters: numbers.subarray(0, size), find: quantileFinder(found) };
}

function estimateOf({ values, clusters, find }: ArmValues, share: number): Quantile {
  const value = find(share);
  let below = 0;
  for (const each of values) if (each <= value) below += 1;
  const mean = below / values.length;
  const sums = new Float64Array(sizeFor(clusters));
  for (let row = 0; row < values.length; row++)
    sums[clusters[row]!]! += (values[row]! <= value ? 1 : 0) - mean;
  let squares = 0;
  for (const sum of sums) squares += sum * sum;
  const half = (Z_95 * Math.sqrt(squares)) / values.length;
  const [low, high] = [Math.max(0, share - half), Math.min(1, share + half)];
  return { value, error: (find(high) - find(low)) / (2 * Z_95) };
}

const PARTS = 2 ** 16;

/**
 * Makes the function that finds quantiles of values without sorting all of them: they are counted by the first 16 bits of their
 * binary form, which order them, and only what has the same bits as a quantile is sorted.
 */
export function quantileFinder(values: Float64Array): (share: number) => number {
  const words = new Uint16Array(values.buffer, values.byteOffset, 4 * values.length);
  const partOf = (row: number): number => {
    const bits = words[4 * row + 3]!;
    return bits < PARTS / 2 ? PARTS / 2 + bits : PARTS - 1 - bits;
  };
  const starts = new Int32Array(PARTS + 1);
  for (let row = 0; row < values.length; row++) starts[partOf(row) + 1]! += 1;
  for (let part = 1; part <= PARTS; part++) starts[part]! += starts[part - 1]!;
  const sorted = new Map<number, Float64Array>();
  const sortPart = (part: number): Float64Array => {
    const members = new Float64Array(starts[part + 1]! - starts[part]!);
    let size = 0;
    for (let row = 0; row < values.length; row++) if (partOf(row) === part) members[size++] = values[row]!;
    return members.every((value) => value === members[0]) ? members : members.sort();
  };
  const valueAt = (place: number): number => {
    const part = starts.findIndex((start) => start > place) - 1;
    const members = sorted.get(part) ?? sortPart(part);
    sorted.set(part, members);
    return members[place - starts[part]!]!;
  };
  return (share) => quantileOf(share, values.length, valueAt);
}
