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

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIXTET = new Uint8Array(128).fill(255);
for (let value = 0; value < 64; value += 1) SIXTET[ALPHABET.charCodeAt(value)] = value;

/** Bytes of base64 (RFC 4648 §4, padded); null when the text is none. Our own, because the core has neither `atob` nor `Buffer`. */
function bytesFromBase64(text: string): Uint8Array | null {
  if (text.length % 4 !== 0) return null;
  const padding = text.endsWith('==') ? 2 : text.endsWith('=') ? 1 : 0;
  const bytes = new Uint8Array((text.length / 4) * 3 - padding);
  let bits = 0;
  let held = 0;
  let at = 0;
  for (let index = 0; index < text.length - padding; index += 1) {
    const sixtet = SIXTET[text.charCodeAt(index)] ?? 255;
    if (sixtet === 255) return null;
    bits = ((bits << 6) | sixtet) & 0xffffff;
    held += 6;
    if (held < 8) continue;
    held -= 8;
    bytes[at] = bits >> held;
    at += 1;
  }
  return bytes;
}
