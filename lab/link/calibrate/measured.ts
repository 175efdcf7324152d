/** What flows of packets say about a link: pure. */
import type { Arrivals, Drunk, Sent } from './traffic.ts';

/** IP bits per ms between the first and the last arrival in the window after `skipMs`; null with fewer than two. */
export function arrivalKbps({ atMs, ipBytes }: Arrivals, skipMs: number): number | null {
  const from = (atMs[0] ?? 0) + skipMs;
  const inside = atMs.filter((at) => at >= from);
  const [first, last] = [inside[0], inside.at(-1)];
  if (first === undefined || last === undefined || last === first) return null;
  return ((inside.length - 1) * ipBytes * 8) / (last - first);
}

/** Full segments of 1500 bytes carry 1448: 20 of IPv4, 20 of TCP and 12 of its time stamps (RFC 7323 §3.2). */
const IP_BYTES_PER_STREAM_BYTE = 1500 / 1448;

/** IP bits per ms of a TCP stream in its last `windowMs`; null when it was shorter. */
export function streamKbps({ atMs, totalBytes }: Drunk, windowMs: number): number | null {
  const end = atMs.length - 1;
  const endMs = atMs[end] ?? 0;
  const begin = atMs.findIndex((at) => at >= endMs - windowMs);
  if (begin <= 0) return null;
  const [from, to] = [begin - 1, end];
  const bytes = (totalBytes[to] ?? 0) - (totalBytes[from] ?? 0);
  return (bytes * 8 * IP_BYTES_PER_STREAM_BYTE) / (endMs - (atMs[from] ?? 0));
}

/** How many of those that were sent never came. */
export const lostOf = ({ packets }: Sent, { numbers }: Arrivals): number => packets - new Set(numbers).size;

/**
 * Packets that were sent, at an even pace, during the longest time in which none came: what a queue had to hold while the
 * machine let its emulator stand still. Loss by chance makes no such silence: of 100 packets it takes one.
 */
export function maxHeldBack({ atMs: sentAtMs, packets }: Sent, { atMs }: Arrivals): number {
  const paceMs = ((sentAtMs.at(-1) ?? 0) - (sentAtMs[0] ?? 0)) / Math.max(1, packets - 1);
  const silenceMs = atMs.reduce((longest, at, index) => Math.max(longest, at - (atMs[index - 1] ?? at)), 0);
  return paceMs > 0 ? Math.round(silenceMs / paceMs) : 0;
}

/**
 * Packets that stood in the queue when a burst faster than the link ended: those that came later than the last packet
 * would have, had nothing been before it (`emptyWayMs`: its own transmission and the propagation).
 */
export function drainedPackets(sent: Sent, { atMs }: Arrivals, emptyWayMs: number): number {
  const lastAtMs = sent.atMs.at(-1) ?? 0;
  return atMs.filter((at) => at > lastAtMs + emptyWayMs).length;
}

/** By number: how much later than over an empty link each packet came; null for those that never did. */
export function waitsOf(sent: Sent, { numbers, atMs }: Arrivals, emptyWayMs: number): (number | null)[] {
  const waits: (number | null)[] = sent.atMs.map(() => null);
  for (const [index, number] of numbers.entries())
    waits[number] = Math.max(0, atMs[index]! - sent.atMs[number]! - emptyWayMs);
  return waits;
}
