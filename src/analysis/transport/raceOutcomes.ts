import type { SessionSeries } from '../timeline/series.ts';
import { rowAfter } from '../timeline/table.ts';

/** Who carried the request away from a race. */
export type RaceWinner = 'quic' | 'tcp' | 'nobody';

/**
 * Reads an outcome in DevTools' words (`Network.AlternateProtocolUsage`) or the NetLog's (docs/browsers.md). Null for
 * what names no winner: DevTools' `unspecifiedReason`, and outcomes of browsers to come.
 */
export const raceWinner = (outcome: string): RaceWinner | null => OUTCOMES.get(outcome)?.winner ?? null;

/**
 * Whether QUIC and TCP really raced for the request. Most requests need no race: a QUIC session is there, nothing but TCP
 * is known, or QUIC is marked broken.
 */
export const wasRaced = (outcome: string): boolean => OUTCOMES.get(outcome)?.raced ?? false;

/** Each row: the winner, whether there was a race, and the outcomes that say so. */
const ROWS: readonly (readonly [RaceWinner, boolean, readonly string[]])[] = [
  ['quic', true, ['alternativeJobWonRace', 'dnsAlpnH3JobWonRace', 'alternative-won', 'dns-alpn-won']],
  [
    'quic',
    false,
    [
      'alternativeJobWonWithoutRace',
      'dnsAlpnH3JobWonWithoutRace',
      'alternative-reused',
      'dns-alpn-reused',
      'quic-forced',
    ],
  ],
  ['tcp', true, ['mainJobWonRace', 'main-won', 'main-after-quic-failed']],
  ['tcp', false, ['broken', 'main-alone', 'main-broken']],
  ['nobody', true, ['failed']],
];

const OUTCOMES: ReadonlyMap<string, { readonly winner: RaceWinner; readonly raced: boolean }> = new Map(
  ROWS.flatMap(([winner, raced, outcomes]) =>
    outcomes.map((outcome) => [outcome, { winner, raced }] as const),
  ),
);

/** Races that began in a stretch of the session, by winner. */
interface RaceCounts {
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
