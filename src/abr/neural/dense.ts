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
 * kernel, that is along memory, and past inputs of 0, of which a rectified layer has many.
 */
export function runDense(
  { inputs, outputs, kernel, bias }: Dense,
  { input, inputAt }: { readonly input: Float32Array; readonly inputAt: number },
  { output, outputAt }: { readonly output: Float32Array; readonly outputAt: number },
): void {
  for (let to = 0; to < outputs; to += 1) output[outputAt + to] = bias[to]!;
  for (let from = 0; from < inputs; from += 1) {
    const value = input[inputAt + from]!;
    if (value === 0) continue;
    const row = from * outputs;
    for (let to = 0; to < outputs; to += 1) output[outputAt + to]! += value * kernel[row + to]!;
  }
}
