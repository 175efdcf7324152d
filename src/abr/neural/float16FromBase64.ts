import { bytesFromBase64 } from './bytesFromBase64.ts';

/** Half-precision numbers (IEEE 754 binary16), little endian, from base64; null when it ends within one or is none. */
export function float16FromBase64(text: string): Float32Array | null {
  const bytes = bytesFromBase64(text);
  if (bytes === null || bytes.length % 2 !== 0) return null;
  return Float32Array.from({ length: bytes.length / 2 }, (_, index) =>
    float16Of(bytes[2 * index]! | (bytes[2 * index + 1]! << 8)),
  );
}

function float16Of(bits: number): number {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 31;
  const fraction = bits & 1023;
  if (exponent === 31) return fraction ? NaN : sign * Infinity;
  return exponent === 0 ? sign * fraction * 2 ** -24 : sign * (1024 + fraction) * 2 ** (exponent - 25);
}
