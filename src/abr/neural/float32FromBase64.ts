import { bytesFromBase64 } from './bytesFromBase64.ts';

/**
 * Single-precision numbers, little endian, from base64 (RFC 4648 §4, padded). null when the text is no base64 or ends
 * within a number.
 */
export function float32FromBase64(text: string): Float32Array | null {
  const bytes = bytesFromBase64(text);
  if (bytes === null || bytes.length % 4 !== 0) return null;
  const view = new DataView(bytes.buffer);
  return Float32Array.from({ length: bytes.length / 4 }, (_, index) => view.getFloat32(4 * index, true));
}
