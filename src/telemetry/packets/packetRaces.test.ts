import { expect, test } from 'vitest';
import { exampleAttempt, exampleSilence } from './examplePackets.testing.ts';
import { racesIn } from './packetRaces.ts';

test('attempts over QUIC and TCP that overlap are a race, with its head start and its winner', () => {
  const [quic, tcp] = [exampleAttempt('quic', 1000), exampleAttempt('tcp', 1012)];
  expect(racesIn([tcp, quic])).toEqual([
    { host: 'a.test', attempts: [quic, tcp], headStartMs: 12, winner: quic },
  ]);
  const early = exampleAttempt('tcp', 970);
  expect(racesIn([quic, early])).toMatchObject([{ headStartMs: -30, winner: { protocol: 'quic' } }]);
});

test('one that began after the other was settled is in no race, nor is one of another host', () => {
  const tcp = exampleAttempt('tcp', 1000);
  expect(racesIn([tcp, exampleAttempt('quic', 1084)])).toEqual([]);
  expect(racesIn([tcp, exampleAttempt('quic', 1010, { serverName: 'b.test' })])).toEqual([]);
});

test('one without an answer is pending until 1 s after its last packet, and nobody wins what nobody could use', () => {
  const pause = exampleSilence(1000, 1001);
  expect(racesIn([pause, exampleAttempt('tcp', 1250)])).toMatchObject([{ headStartMs: 250 }]);
  expect(racesIn([pause, exampleAttempt('tcp', 2002)])).toEqual([]);
  const silent = exampleSilence(1000, 5000);
  const tcp = exampleAttempt('tcp', 4000);
  expect(racesIn([silent, tcp])).toMatchObject([{ headStartMs: 3000, winner: { protocol: 'tcp' } }]);
  const lost = exampleAttempt('tcp', 1100, {
    answeredUnixMs: null,
    readyUnixMs: null,
    serverName: null,
    alpn: null,
  });
  expect(racesIn([silent, lost])).toMatchObject([{ host: 'a.test', winner: null }]);
});

test('an attempt whose first packet is missing is in no race', () =>
  expect(racesIn([exampleAttempt('quic', 1000, { startUnixMs: null }), exampleAttempt('tcp', 1010)])).toEqual(
    [],
  ));
