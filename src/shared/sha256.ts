const PRIMES = firstPrimes(64);
/** 32 bits of the fraction of a root. A double has 52 bits: those that matter are the same in every engine. */
const fractionBits = (root: number): number => Math.floor((root % 1) * 2 ** 32) | 0;
const START = PRIMES.slice(0, 8).map((prime) => fractionBits(Math.sqrt(prime)));
const ROUNDS = PRIMES.map((prime) => fractionBits(Math.cbrt(prime)));

/**
 * Computes SHA-256 (FIPS 180-4, section 6.2) of a text of ASCII characters: 32 bytes. For pages: `crypto.subtle` answers later, and
 * in secure contexts only.
 * @throws Error for a text with other characters
 */
export function sha256(text: string): Uint8Array {
  const words = paddedWords(text);
  const sums = Int32Array.from(START);
  const schedule = new Int32Array(64);
  for (let block = 0; block < words.length; block += 16) {
    schedule.set(words.subarray(block, block + 16));
    extend(schedule);
    compress(sums, schedule);
  }
  return Uint8Array.from({ length: 32 }, (_, at) => sums[at >> 2]! >>> (24 - 8 * (at & 3)));
}

/** Formats the first bytes of a digest, or all of them, as hexadecimal digits. */
export function hexOf(digest: Uint8Array, bytes = digest.length): string {
  let text = '';
  for (let index = 0; index < bytes; index++) text += HEX[digest[index]!]!;
  return text;
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'));

/** The text, a bit that is 1, zeros, and the number of bits, in blocks of 16 words. */
function paddedWords(text: string): Int32Array {
  const words = new Int32Array(16 * Math.ceil((text.length + 9) / 64));
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code > 127) throw new Error('SHA-256 in a page takes ASCII characters only.');
    words[at >> 2]! |= code << (24 - 8 * (at & 3));
  }
  words[text.length >> 2]! |= 0x80 << (24 - 8 * (text.length & 3));
  words[words.length - 1] = 8 * text.length;
  return words;
}

const turned = (word: number, bits: number): number => (word >>> bits) | (word << (32 - bits));

function extend(schedule: Int32Array): void {
  for (let at = 16; at < 64; at++) {
    const [early, late] = [schedule[at - 15]!, schedule[at - 2]!];
    const small0 = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
    const small1 = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
    schedule[at] = schedule[at - 16]! + small0 + schedule[at - 7]! + small1;
  }
}

function compress(sums: Int32Array, schedule: Int32Array): void {
  let [a, b, c, d, e, f, g, h] = sums as unknown as Octet;
  for (let at = 0; at < 64; at++) {
    const big1 = turned(e, 6) ^ turned(e, 11) ^ turned(e, 25);
    const one = (h + big1 + ((e & f) ^ (~e & g)) + ROUNDS[at]! + schedule[at]!) | 0;
    const big0 = turned(a, 2) ^ turned(a, 13) ^ turned(a, 22);
    const two = (big0 + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  for (const [at, word] of [a, b, c, d, e, f, g, h].entries()) sums[at] = sums[at]! + word;
}

type Octet = [number, number, number, number, number, number, number, number];

function firstPrimes(count: number): number[] {
  const primes: number[] = [];
  for (let number = 2; primes.length < count; number++)
    if (primes.every((prime) => number % prime !== 0)) primes.push(number);
  return primes;
}
