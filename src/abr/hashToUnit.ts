/**
 * A number in [0, 1) that looks random and is the same each time for a seed and a count: how a rule that its paper wants
 * randomised stays a pure fold. The mixing is the 32-bit finaliser of MurmurHash3 (Appleby, public domain), once for
 * each argument, so that neighbouring seeds and counts are unrelated.
 */
export const hashToUnit = (seed: number, count: number): number => mixed(mixed(seed) ^ count) / 2 ** 32;

function mixed(word: number): number {
  // The odd constant (2³² / golden ratio) keeps 0 from being its own hash.
  let h = (word + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
