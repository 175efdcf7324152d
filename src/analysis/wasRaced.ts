/**
 * Whether QUIC and TCP really raced for the request, in DevTools' words or the NetLog's (docs/race-truth.md). Most requests
 * need no race: a QUIC session is there, nothing but TCP is known, or QUIC is marked broken.
 */
export const wasRaced = (outcome: string): boolean => RACED.has(outcome);

const RACED: ReadonlySet<string> = new Set([
  'alternativeJobWonRace',
  'dnsAlpnH3JobWonRace',
  'mainJobWonRace',
  'alternative-won',
  'dns-alpn-won',
  'main-won',
  'main-after-quic-failed',
  'failed',
]);
