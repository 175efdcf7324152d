/** Allows so many requests a second for each sender, with a fixed amount of memory. */
export interface RateLimit {
  /** Tells whether a request of a sender is allowed now. `senderHash` is a whole number that stands for the sender. */
  allows(senderHash: number, nowMs: number): boolean;
}

interface Rate {
  readonly perSecond: number;
  readonly burst: number;
  /** Buckets. Two senders may share one: then both are held back sooner. */
  readonly buckets?: number;
}

/** Makes token buckets in two arrays, 1 MB for the preset. */
export function createRateLimit({ perSecond, burst, buckets = 65_536 }: Rate): RateLimit {
  const tokens = new Float64Array(buckets).fill(burst);
  const filledMs = new Float64Array(buckets);
  return {
    allows(senderHash, nowMs) {
      const at = senderHash % buckets;
      const gained = ((nowMs - filledMs[at]!) * perSecond) / 1000;
      const now = Math.min(burst, tokens[at]! + Math.max(0, gained));
      filledMs[at] = nowMs;
      tokens[at] = now >= 1 ? now - 1 : now;
      return now >= 1;
    },
  };
}
