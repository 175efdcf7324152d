import { unit } from '../../testWeights.testing.ts';
import { NEURAL_FORMAT, NEURAL_LAYERS, neuralShapes } from './neuralWeights.ts';

/** Small nets whose numbers follow from their places alone: whole 64ths, which half precision holds exactly. */
export function madeUpNet({ width = 4, narrow = 3, nets = 1, from = 0 } = {}): string {
  const shapes = neuralShapes(width, narrow);
  const each = NEURAL_LAYERS.reduce((sum, layer) => sum + (shapes[layer][0] + 1) * shapes[layer][1], 0);
  const bytes = Buffer.alloc(2 * nets * each);
  for (let at = 0; at < nets * each; at += 1)
    bytes.writeUInt16LE(halfOf64ths(Math.round(128 * unit(9, from * each + at)) - 64), 2 * at);
  return JSON.stringify({
    format: NEURAL_FORMAT,
    name: 'made up',
    width,
    narrow,
    ...(nets > 1 && { nets }),
    data: bytes.toString('base64'),
  });
}

/** Bits of binary16 for a whole number of 64ths, −64 to 64. */
function halfOf64ths(count: number): number {
  if (count === 0) return 0;
  const exponent = Math.floor(Math.log2(Math.abs(count)));
  const fraction = Math.abs(count) * 2 ** (10 - exponent) - 1024;
  return (count < 0 ? 0x8000 : 0) | ((exponent - 6 + 15) << 10) | fraction;
}
