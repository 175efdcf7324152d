/** How a session has switched so far, in a bounded form. */
export interface SwitchHistory {
  /** The rung last downloaded; null before the first download and after a change of the ladder. */
  readonly rung: number | null;
  /** How many segments in a row came at it. */
  readonly run: number;
  /** Downloads in all. */
  readonly downloads: number;
  /** When the latest switches were requested, oldest first, at most `MOST`. */
  readonly switchesMs: readonly number[];
}

/** More switches than this make no difference: 2^16 outweighs every efficiency that a ladder can gain. */
const MAX = 16;

export const nothingPlayed: SwitchHistory = { rung: null, run: 0, downloads: 0, switchesMs: [] };

/** With one more segment of `rung`, requested at `startMs`. */
export function withSegment(history: SwitchHistory, rung: number, startMs: number): SwitchHistory {
  const stays = rung === history.rung;
  const switched = !stays && history.rung !== null;
  return {
    rung,
    run: stays ? history.run + 1 : 1,
    downloads: history.downloads + 1,
    switchesMs: switched ? [...history.switchesMs, startMs].slice(-MAX) : history.switchesMs,
  };
}

/** A new ladder: its rungs have other numbers, so nothing has come at any of them yet. */
export const onNewLadder = (history: SwitchHistory): SwitchHistory => ({ ...history, rung: null, run: 0 });

export function switchesSince(history: SwitchHistory, sinceMs: number): number {
  let switches = 0;
  for (const atMs of history.switchesMs) if (atMs >= sinceMs) switches += 1;
  return switches;
}
