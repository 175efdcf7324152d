import {
  PENSIEVE_FORMAT,
  PENSIEVE_LAYERS,
  pensieveShapes,
  type PensieveDivisors,
} from './rules/pensieve/pensieveWeights.ts';

/** The constants of Pensieve's `test.py`: top rung, 10 s, 1 Mbyte/s, 10 s, 1 Mbyte, 48 segments. */
const DIVISORS: PensieveDivisors = {
  bitrateKbps: 4300,
  bufferMs: 10_000,
  rateKbps: 8000,
  downloadMs: 10_000,
  sizeBytes: 1_000_000,
  segmentsLeft: 48,
};

/**
 * A net of the paper's size whose numbers follow from their places alone, so that a test needs no file and
 * `pensieveNet.golden.py` makes the very same one.
 */
export function testWeights(ladderKbps: readonly number[] = [300, 750, 1200, 1850, 2850, 4300]): WeightsFile {
  const shapes = pensieveShapes(ladderKbps.length, 8, 128);
  const layers = PENSIEVE_LAYERS.map((layer, index) => {
    const [inputs, outputs] = shapes[layer];
    const kernel = Float32Array.from({ length: inputs * outputs }, (_, at) =>
      Math.fround((2 * unit(2 * index, at) - 1) * Math.sqrt(6 / inputs)),
    );
    const bias = Float32Array.from({ length: outputs }, (_, at) => (2 * unit(2 * index + 1, at) - 1) * 0.1);
    const parts = { kernel: tensor([inputs, outputs], kernel), bias: tensor([outputs], bias) };
    return [layer, parts] as const;
  });
  return {
    format: PENSIEVE_FORMAT,
    name: 'made by a test',
    ladderKbps: [...ladderKbps],
    history: 8,
    width: 128,
    divisors: DIVISORS,
    layers: Object.fromEntries(layers),
  };
}

export interface WeightsFile {
  format: string;
  name: string;
  ladderKbps: number[];
  history: number;
  width: number;
  divisors: PensieveDivisors;
  layers: Record<string, { kernel: WeightsTensor; bias: WeightsTensor }>;
}
export interface WeightsTensor {
  shape: number[];
  data: string;
}

/** A number in [0, 1) that depends on nothing but its place: the finaliser of MurmurHash3 over stream and index. */
export function unit(stream: number, index: number): number {
  let hash = (stream * 2 ** 20 + index) >>> 0;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return ((hash ^ (hash >>> 16)) >>> 0) / 2 ** 32;
}

const tensor = (shape: number[], numbers: Float32Array): WeightsTensor => ({ shape, data: base64(numbers) });

export const base64 = (numbers: Float32Array): string =>
  Buffer.from(numbers.buffer, numbers.byteOffset, numbers.byteLength).toString('base64');
