/**
 * Two exponentially weighted means of the same samples, one that forgets fast and one that forgets slowly (dash.js
 * 5.2.1, models/ThroughputModel.js and ThroughputController.js; Sabre has the same). Three numbers, however long it runs.
 */
export interface EwmaPair {
  /** Both begin at 0 and are corrected for it when read. */
  readonly fast: number;
  readonly slow: number;
  readonly totalWeight: number;
}

/** Weight after which a sample counts half. */
export interface HalfLives {
  readonly fast: number;
  readonly slow: number;
}

export const NO_SAMPLES: EwmaPair = { fast: 0, slow: 0, totalWeight: 0 };

/** With one more sample; one that is not finite or has no weight says nothing. */
export function withSample(
  pair: EwmaPair,
  { value, weight }: { value: number; weight: number },
  halfLives: HalfLives,
): EwmaPair {
  if (!Number.isFinite(value) || !(weight > 0)) return pair;
  const keepFast = 0.5 ** (weight / halfLives.fast);
  const keepSlow = 0.5 ** (weight / halfLives.slow);
  return {
    fast: (1 - keepFast) * value + keepFast * pair.fast,
    slow: (1 - keepSlow) * value + keepSlow * pair.slow,
    totalWeight: pair.totalWeight + weight,
  };
}

/** Both means, corrected for their start at 0; null before the first sample. */
export function means({ fast, slow, totalWeight }: EwmaPair, halfLives: HalfLives): HalfLives | null {
  if (totalWeight <= 0) return null;
  return {
    fast: fast / (1 - 0.5 ** (totalWeight / halfLives.fast)),
    slow: slow / (1 - 0.5 ** (totalWeight / halfLives.slow)),
  };
}
