import type { Range } from './neuralWeights.ts';

/** A small step beyond what training saw is no other world, in parts of the range. */
const MARGIN_SHARE = 0.02;
/** The same for an input that never changed in training. */
const MARGIN = 1e-3;

/** Marks in `found` which of the inputs at `at` lie outside their ranges. */
export function markOutside(
  found: Uint8Array,
  ranges: readonly Range[],
  { inputs, at }: { readonly inputs: Float32Array; readonly at: number },
): void {
  for (let index = 0; index < ranges.length; index += 1)
    if (isBeyond(ranges[index]!, inputs[at + index]!)) found[index] = 1;
}

export function isBeyond([min, max]: Range, value: number): boolean {
  const margin = MARGIN + MARGIN_SHARE * (max - min);
  return value < min - margin || value > max + margin;
}
