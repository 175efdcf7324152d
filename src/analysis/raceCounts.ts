import { raceWinner } from './raceWinner.ts';
import type { SessionSeries } from './series.ts';
import { rowAfter } from './table.ts';

/** Races that began in a stretch of the session, by winner. */
export interface RaceCounts {
  readonly quic: number;
  readonly tcp: number;
  /** Nobody connected, or what was won died under its request. */
  readonly died: number;
}

/** Counts races from `fromMs` until before `toMs`: the NetLog's where there is one, else DevTools'. */
export function raceCounts(
  { races, outcomes }: SessionSeries,
  { fromMs, toMs }: { readonly fromMs: number; readonly toMs: number },
): RaceCounts {
  const { atMs, outcome, died, netLog } = races.columns;
  const known = netLog.subarray(0, races.length).includes(1);
  const counts = { quic: 0, tcp: 0, died: 0 };
  for (let row = rowAfter(races, fromMs - 1e-6); row < races.length && atMs[row]! < toMs; row += 1) {
    if (known && netLog[row] === 0) continue;
    const winner = raceWinner(outcomes[outcome[row]!] ?? '');
    if (winner === 'nobody' || died[row] === 1) counts.died += 1;
    if (winner === 'quic' || winner === 'tcp') counts[winner] += 1;
  }
  return counts;
}
