import { exp } from '../../shared/exactMath/exp.ts';

/** A fully connected layer, y = x · kernel + bias, in single precision as everywhere where nets are trained. */
export interface Dense {
  readonly inputs: number;
  readonly outputs: number;
  /** `[input × outputs + output]`: row-major inputs × outputs, as TensorFlow keeps it; PyTorch's is the transpose. */
  readonly kernel: Float32Array;
  readonly bias: Float32Array;
}

/**
 * Writes the layer's outputs, from `input` read at `inputAt`, into `output` at `outputAt`. It goes along the rows of the
 * kernel, that is along memory, past inputs of 0, of which a rectified layer has many, and four rows at a time, whose
 * products are added up in double precision and rounded once: half of the time went to reading, rounding and writing outputs.
 */
export function runDense(
  { inputs, outputs, kernel, bias }: Dense,
  { input, inputAt }: { readonly input: Float32Array; readonly inputAt: number },
  { output, outputAt }: { readonly output: Float32Array; readonly outputAt: number },
): void {
  for (let to = 0; to < outputs; to += 1) output[outputAt + to] = bias[to]!;
  const end = inputAt + inputs;
  let first = notZero(input, inputAt, end);
  while (first < end) {
    const second = notZero(input, first + 1, end);
    const third = notZero(input, second + 1, end);
    const fourth = notZero(input, third + 1, end);
    // Past the end an input counts 0, and its row is that of the first: nothing is added.
    const a = input[first]!;
    const b = second < end ? input[second]! : 0;
    const c = third < end ? input[third]! : 0;
    const d = fourth < end ? input[fourth]! : 0;
    const rowA = (first - inputAt) * outputs;
    const rowB = second < end ? (second - inputAt) * outputs : rowA;
    const rowC = third < end ? (third - inputAt) * outputs : rowA;
    const rowD = fourth < end ? (fourth - inputAt) * outputs : rowA;
    for (let to = 0; to < outputs; to += 1)
      output[outputAt + to]! +=
        a * kernel[rowA + to]! + b * kernel[rowB + to]! + (c * kernel[rowC + to]! + d * kernel[rowD + to]!);
    first = notZero(input, fourth + 1, end);
  }
}

/** The next place whose number is not 0, or `end` and beyond. */
function notZero(input: Float32Array, from: number, end: number): number {
  let at = from;
  while (at < end && input[at] === 0) at += 1;
  return at;
}

/** max(x, 0) in place: the ReLU after a layer. */
export function rectify(values: Float32Array): void {
  for (let index = 0; index < values.length; index += 1) if (values[index]! < 0) values[index] = 0;
}

/** exp(x) / Σ exp(x) in place; the largest is taken off first, so that no exponent overflows. */
export function softmax(values: Float32Array): void {
  let max = -Infinity;
  for (const value of values) if (value > max) max = value;
  let sum = 0;
  for (let index = 0; index < values.length; index += 1) {
    values[index] = exp(values[index]! - max);
    sum += values[index]!;
  }
  for (let index = 0; index < values.length; index += 1) values[index]! /= sum;
}
