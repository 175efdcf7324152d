/** Who carried the request away from a race. */
export type RaceWinner = 'quic' | 'tcp' | 'nobody';

/**
 * Reads an outcome in DevTools' words (`Network.AlternateProtocolUsage`) or the NetLog's (docs/race-truth.md). Null for
 * what names no winner: DevTools' `unspecifiedReason`, and outcomes of browsers to come.
 */
export function raceWinner(outcome: string): RaceWinner | null {
  return WINNERS.get(outcome) ?? null;
}

const WINNERS: ReadonlyMap<string, RaceWinner> = new Map(
  Object.entries({
    quic: [
      'alternativeJobWonRace',
      'alternativeJobWonWithoutRace',
      'dnsAlpnH3JobWonRace',
      'dnsAlpnH3JobWonWithoutRace',
      'alternative-reused',
      'alternative-won',
      'dns-alpn-reused',
      'dns-alpn-won',
      'quic-forced',
    ],
    tcp: ['mainJobWonRace', 'broken', 'main-won', 'main-alone', 'main-broken', 'main-after-quic-failed'],
    nobody: ['failed'],
  } satisfies Record<RaceWinner, string[]>).flatMap(([winner, outcomes]) =>
    outcomes.map((outcome) => [outcome, winner as RaceWinner] as const),
  ),
);
