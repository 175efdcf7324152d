import { expect, it } from 'vitest';
import { float16FromBase64 } from './floats.ts';

const base64 = (...bits: number[]): string => Buffer.from(Uint16Array.from(bits).buffer).toString('base64');

it('reads half precision: the examples of IEEE 754 binary16', () => {
  const bits = [0x3c00, 0xc000, 0x7bff, 0x0400, 0x0001, 0x3555, 0x8000, 0x7c00, 0xfc00];
  expect([...float16FromBase64(base64(...bits))!]).toEqual([
    1,
    -2,
    65_504,
    2 ** -14,
    2 ** -24,
    0.333251953125,
    -0,
    Infinity,
    -Infinity,
  ]);
  expect(float16FromBase64(base64(0x7e00))).toEqual(Float32Array.of(NaN));
});

it('refuses half a number and what is no base64', () => {
  expect(float16FromBase64('AAAA')).toBeNull();
  expect(float16FromBase64('AA')).toBeNull();
  expect(float16FromBase64('')).toEqual(new Float32Array(0));
});
