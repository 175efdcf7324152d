/**
 * One unit per dimension inside Pitwall: milliseconds, bytes, kbit/s. Other units appear only at the edges
 * (dash.js speaks seconds and bit/s; people read seconds and Mbit/s), and these functions are the edges.
 */

/** kbit/s carried by `sizeBytes` in `durationMs`; null when no time passed, because a rate is then unknown. */
export function kbpsOf(sizeBytes: number, durationMs: number): number | null {
  return durationMs > 0 ? (sizeBytes * 8) / durationMs : null;
}

/** Time in ms to carry `sizeBytes` at `rateKbps` (bits / (kbit/s) = ms). */
export function transferMs(sizeBytes: number, rateKbps: number): number {
  return (sizeBytes * 8) / rateKbps;
}

/** Bytes of media of `durationMs` coded at `bitrateKbps`. */
export function bytesOf(bitrateKbps: number, durationMs: number): number {
  return (bitrateKbps * durationMs) / 8;
}

export const msFromSeconds = (seconds: number): number => seconds * 1000;
export const secondsFromMs = (ms: number): number => ms / 1000;
export const kbpsFromBitsPerSecond = (bitsPerSecond: number): number => bitsPerSecond / 1000;
export const mbpsFromKbps = (kbps: number): number => kbps / 1000;

/** A time in ms to a µs: finer than any browser's clock, and it keeps the digits of a sum of floats out of logs. */
export const roundedMs = (ms: number): number => Math.round(ms * 1000) / 1000;

/** The largest IP packet of Ethernet, and of a path of which nothing else is known. */
export const USUAL_MTU_BYTES = 1500;
