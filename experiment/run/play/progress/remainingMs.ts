/** What of a run is still to come. */
export interface ToCome {
  /** Pairs that are being played: their sessions that have not ended, and how long the one that runs has been on. */
  readonly running: readonly { readonly left: number; readonly elapsedMs: number }[];
  /** Sessions of each pair that has not begun, in the order in which pairs begin. */
  readonly waiting: readonly number[];
  /** Pairs at once. */
  readonly atOnce: number;
  /** What a session takes. */
  readonly sessionMs: number;
}

/**
 * How long a run still takes when each pair begins as soon as one before it has ended. A session that has taken longer than
 * others counts as about to end.
 */
export function remainingMs({ running, waiting, atOnce, sessionMs }: ToCome): number {
  const freeAtMs = running.map(
    ({ left, elapsedMs }) => Math.max(0, sessionMs - elapsedMs) + (left - 1) * sessionMs,
  );
  while (freeAtMs.length < atOnce) freeAtMs.push(0);
  for (const sessions of waiting) {
    const first = freeAtMs.indexOf(Math.min(...freeAtMs));
    freeAtMs[first]! += sessions * sessionMs;
  }
  return Math.max(0, ...freeAtMs);
}
