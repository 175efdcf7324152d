import { TARGET_MS } from './codelQueue.ts';

/** What a queue does when a load above its link's rate sets in: it grows, and under CoDel it falls again. */
export interface Hump {
  /** The longest wait before the fall is over. */
  readonly peakMs: number;
  /** From the first packet on, when the first packet is sent that hardly waits any more; null: it never falls. */
  readonly backAfterMs: number | null;
  /** Packets that never came of those sent until then. */
  readonly drops: number;
}

/** A queue that never was so many times above the target has no hump. */
const MIN_PEAK = 4;

/**
 * Finds the first rise and fall. `sentAtMs` by number, ascending; `waitedMs` by number, null for those that never came. A
 * packet hardly waits when it waits no longer than the target and one transmission.
 */
export function firstHump(
  sentAtMs: readonly number[],
  waitedMs: readonly (number | null)[],
  packetMs: number,
): Hump {
  const hardlyMs = TARGET_MS + packetMs;
  let peakMs = 0;
  let drops = 0;
  for (const [number, waited] of waitedMs.entries()) {
    if (waited === null) drops += 1;
    else if (waited <= hardlyMs && peakMs >= MIN_PEAK * hardlyMs)
      return { peakMs, backAfterMs: sentAtMs[number]! - sentAtMs[0]!, drops };
    else peakMs = Math.max(peakMs, waited);
  }
  return { peakMs, backAfterMs: null, drops };
}
