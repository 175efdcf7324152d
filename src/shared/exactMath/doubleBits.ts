/**
 * A double and its bits, low half first: scratch of `ln` and `exp`. Every machine that runs a browser or Node is little
 * endian; on another the first test of `ln` would fail.
 */
export const FLOATS = new Float64Array(1);
export const BITS = new Uint32Array(FLOATS.buffer);
