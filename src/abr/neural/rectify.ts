/** max(x, 0) in place: the ReLU after a layer. */
export function rectify(values: Float32Array): void {
  for (let index = 0; index < values.length; index += 1) if (values[index]! < 0) values[index] = 0;
}
