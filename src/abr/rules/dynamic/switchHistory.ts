/** dash.js' SwitchHistoryRule: a rung that was often left for a lower one is not used for a while. */
export type SwitchHistory = readonly PastSwitch[];

/** From which rung a request came, and whether it went to a lower one. */
export interface PastSwitch {
  readonly rung: number;
  readonly dropped: boolean;
}

export function withSwitch(
  history: SwitchHistory,
  { from, to }: { from: number; to: number },
  size: number,
): SwitchHistory {
  const next = history.slice(history.length < size ? 0 : 1);
  next.push({ rung: from, dropped: to < from });
  return next;
}

export interface SwitchLimits {
  readonly size: number;
  /** Drops per request that did not drop, above which a rung is too high. */
  readonly threshold: number;
}

/**
 * The highest rung that the history allows; null for no opinion. Sums drops from the lowest rung up, once `size` requests
 * are seen; where there are too many, one below that rung if it was itself left, else that rung.
 */
export function historyCap(history: SwitchHistory, { size, threshold }: SwitchLimits): number | null {
  if (!history.some(({ dropped }) => dropped)) return null;
  const highest = Math.max(...history.map(({ rung }) => rung));
  for (let rung = 0; rung <= highest; rung += 1) {
    const { drops, stays } = countUpTo(history, rung);
    if (drops + stays >= size && drops > threshold * stays) {
      const left = history.some((past) => past.rung === rung && past.dropped);
      return left && rung > 0 ? rung - 1 : rung;
    }
  }
  return null;
}

function countUpTo(history: SwitchHistory, rung: number): { drops: number; stays: number } {
  let drops = 0;
  let stays = 0;
  for (const past of history) {
    if (past.rung > rung) continue;
    if (past.dropped) drops += 1;
    else stays += 1;
  }
  return { drops, stays };
}
