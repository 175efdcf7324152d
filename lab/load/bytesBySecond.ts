/** Bytes that had come by a moment. */
export interface Received {
  readonly atUnixMs: number;
  readonly bytes: number;
}

/**
 * Bytes that came in each second from `fromUnixMs` on; the last second ends at `untilUnixMs`. `received` is in order of time and
 * counts from the start. Between two readings bytes come evenly; before the first one and after the last one none come.
 */
export function bytesBySecond(
  received: readonly Received[],
  { fromUnixMs, untilUnixMs }: { readonly fromUnixMs: number; readonly untilUnixMs: number },
): number[] {
  const seconds: number[] = [];
  let [row, before] = [0, 0];
  for (let atUnixMs = fromUnixMs; atUnixMs < untilUnixMs; atUnixMs += 1000) {
    const endUnixMs = Math.min(atUnixMs + 1000, untilUnixMs);
    while (row < received.length && received[row]!.atUnixMs <= endUnixMs) row += 1;
    // Rounded sums, so that the seconds add up to all.
    const total = Math.round(bytesAt(endUnixMs, received[row - 1], received[row]));
    seconds.push(total - before);
    before = total;
  }
  return seconds;
}

/** At a moment between two readings. */
function bytesAt(atUnixMs: number, last: Received | undefined, next: Received | undefined): number {
  if (!last) return 0;
  if (!next) return last.bytes;
  const share = (atUnixMs - last.atUnixMs) / (next.atUnixMs - last.atUnixMs);
  return last.bytes + share * (next.bytes - last.bytes);
}
