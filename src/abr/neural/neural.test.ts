import { describe, expect, it } from 'vitest';
import { runDense, rectify, softmax } from './layers.ts';
import { float32FromBase64 } from './floats.ts';

const floats = (...numbers: number[]): Float32Array => Float32Array.from(numbers);
const base64 = (bytes: ArrayBuffer | Uint8Array): string =>
  Buffer.from(bytes as Uint8Array).toString('base64');

describe('a dense layer', () => {
  /** y0 = 1 x0 + 3 x1 + 0.5, y1 = 2 x0 + 4 x1 − 1: the kernel lies row by row, a row per input. */
  const layer = { inputs: 2, outputs: 2, kernel: floats(1, 2, 3, 4), bias: floats(0.5, -1) };

  it('reads and writes at the given offsets, and nothing beside them', () => {
    const output = floats(9, 9, 9, 9);
    runDense(layer, { input: floats(7, 10, 100, 7), inputAt: 1 }, { output, outputAt: 1 });
    expect([...output]).toEqual([9, 310.5, 419, 9]);
  });

  it.each([1, 2, 3, 4, 5, 8, 11])(
    'adds %i inputs that are not 0 by fours, and rounds after each four',
    (count) => {
      const inputs = 2 * count;
      const number = (at: number): number => Math.fround(Math.sin(at + 1) * 10 ** (at % 5));
      const wide = {
        inputs,
        outputs: 3,
        bias: floats(0.1, 0.2, 0.3),
        kernel: Float32Array.from({ length: 3 * inputs }, (_, at) => number(at)),
      };
      const input = Float32Array.from({ length: inputs }, (_, at) => (at % 2 ? number(7 * at) : 0));
      const wanted = wide.bias.slice();
      for (let to = 0; to < 3; to += 1) {
        const products = [...input].flatMap((each, from) =>
          each ? [each * wide.kernel[3 * from + to]!] : [],
        );
        for (let at = 0; at < products.length; at += 4) {
          const [one = 0, two = 0, three = 0, four = 0] = products.slice(at, at + 4);
          wanted[to]! += one + two + (three + four);
        }
      }
      const output = floats(9, 9, 9);
      runDense(wide, { input, inputAt: 0 }, { output, outputAt: 0 });
      expect(output).toEqual(wanted);
    },
  );

  it('gives its bias to an input of zeros', () => {
    const output = floats(9, 9);
    runDense(layer, { input: floats(0, 0), inputAt: 0 }, { output, outputAt: 0 });
    expect([...output]).toEqual([0.5, -1]);
  });
});

describe('activations', () => {
  it('rectify takes what is below 0 to 0', () => {
    const values = floats(-1, 0, 2);
    rectify(values);
    expect([...values]).toEqual([0, 0, 2]);
  });

  it('softmax gives shares of 1, also of what would overflow', () => {
    const values = floats(1000, 1000, 1000 + Math.log(2));
    softmax(values);
    [0.25, 0.25, 0.5].forEach((share, index) => expect(values[index]).toBeCloseTo(share, 4));
  });
});

describe('floats from base64', () => {
  it.each([[[]], [[1]], [[1.5, -2]], [[0, 3.4e38, -1e-40, 7]]])('%j come back', (numbers) => {
    expect(float32FromBase64(base64(floats(...numbers).buffer as ArrayBuffer))).toEqual(floats(...numbers));
  });

  it('reads what RFC 4648 writes: every byte, little endian', () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    const found = float32FromBase64(base64(bytes));
    expect(new Uint8Array(found!.buffer)).toEqual(bytes);
    expect(float32FromBase64('AACAPw==')).toEqual(floats(1));
  });

  it.each([
    { name: 'half a number', text: base64(new Uint8Array(6)) },
    { name: 'no padding', text: 'AACAPw' },
    { name: 'a sign that is none of the 64', text: 'AACA-w==' },
    { name: 'a sign beyond ASCII', text: 'AACAé===' },
    { name: 'padding within', text: 'AA==AACAPw==' },
    { name: 'a line break', text: 'AAC\nAPw=' },
  ])('refuses $name', ({ text }) => {
    expect(float32FromBase64(text)).toBeNull();
  });
});
