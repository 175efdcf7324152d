const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const SIXTET = new Uint8Array(128).fill(255);
for (let value = 0; value < 64; value += 1) SIXTET[ALPHABET.charCodeAt(value)] = value;

/** Bytes of base64 (RFC 4648 §4, padded); null when the text is none. Our own, because the core has neither `atob` nor `Buffer`. */
export function bytesFromBase64(text: string): Uint8Array | null {
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
