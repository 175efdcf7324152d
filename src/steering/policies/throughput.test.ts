import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/random.ts';
import { browser } from './scheduled.ts';
import { throughput } from './throughput.ts';
import { meanKbps, PATHWAYS, playWorld, type Played, type World } from '../steeredWorld.testing.ts';

const always = (kbps: number) => () => kbps;
const between =
  (fromS: number, untilS: number, kbps: number, otherwise = Infinity) =>
  (atMs: number): number =>
    atMs >= fromS * 1000 && atMs < untilS * 1000 ? kbps : otherwise;

/** A rate that is drawn anew every `everyMs`, evenly in its logarithm. */
function drawn(seed: number, [low, high]: readonly [number, number], everyMs: number): World['linkKbps'] {
  const random = seededRandom(seed);
  const rates = Array.from({ length: 400 }, () => low * (high / low) ** random());
  return (atMs) => rates[Math.floor(atMs / everyMs)] ?? low;
}

const probeShare = ({ probes, mediaBytes }: Played): number =>
  probes.reduce((sum, { bytes }) => sum + bytes, 0) / mediaBytes;
const pathways = ({ uses }: Played): string[] => uses.map(({ pathway }) => pathway);

describe('where QUIC is limited from the start', () => {
  test.each([64, 120, 200, 300])('to %s kbit/s, it is left within two segments', (limitKbps) => {
    const world = { linkKbps: always(2000), quicKbps: always(limitKbps) };
    const played = playWorld(throughput, world);
    expect(pathways(played)).toEqual(['main', 'tcp']);
    expect(played.segments.filter(({ pathway }) => pathway === 'main').length).toBeLessThanOrEqual(2);
    const overTcp = playWorld(browser, { linkKbps: always(2000) });
    expect(meanKbps(played)).toBeGreaterThan(0.85 * meanKbps(overTcp));
    expect(played.stalledMs).toBeLessThan(0.02 * 180_000);
  });

  test.each([450, 600])('to %s kbit/s of 2000, it is tried again once, and not for ever', (limitKbps) => {
    const played = playWorld(throughput, { linkKbps: always(2000), quicKbps: always(limitKbps) });
    expect(pathways(played)).toEqual(['main', 'tcp', 'main', 'tcp']);
  });

  test('to a third of the link, it is left as well, later', () => {
    const world = { linkKbps: always(2000), quicKbps: always(600) };
    const played = playWorld(throughput, world);
    expect(pathways(played)).toContain('tcp');
    expect(meanKbps(played)).toBeGreaterThan(2 * meanKbps(playWorld(browser, world)));
  });
});

describe.each([
  ['a limit of 64 kbit/s', 64],
  ['a limit of 300 kbit/s', 300],
  ['a block', 0],
])('%s from 60 to 180 s', (_name, kbps) => {
  const world: World = { linkKbps: always(2000), quicKbps: between(60, 180, kbps), seconds: 300 };
  const played = playWorld(throughput, world);

  test('is left, and the running segment is continued on the other pathway', () => {
    const left = played.uses[1];
    expect(left?.pathway).toBe('tcp');
    expect(left?.atMs).toBeGreaterThan(60_000);
    expect(left?.atMs).toBeLessThan(64_000);
    expect(played.rescues).toEqual([left?.atMs]);
    expect(played.stalledMs).toBeLessThanOrEqual(playWorld(browser, { linkKbps: always(2000) }).stalledMs);
  });

  test('HTTP/3 is used again within 60 s of its end, and not before', () => {
    const back = played.uses.filter(({ pathway }) => pathway === 'main').at(-1);
    expect(back?.atMs).toBeGreaterThan(180_000);
    expect(back?.atMs).toBeLessThan(240_000);
    expect(pathways(played).at(-1)).toBe('main');
  });
});

const healthy: [string, World][] = [
  ['constant 2 Mbit/s', { linkKbps: always(2000) }],
  ['constant 700 kbit/s', { linkKbps: always(700) }],
  ['constant 100 kbit/s', { linkKbps: always(100) }],
  ['slow steps of a minute', { linkKbps: (atMs) => [64, 128, 192, 256][Math.floor(atMs / 60_000) % 4]! }],
  ...[3, 23].map((seed): [string, World] => [
    `fast changes, seed ${seed}`,
    { linkKbps: drawn(seed, [300, 4000], 1000), ladderKbps: [80, 150, 300, 600, 1200, 2500] },
  ]),
  ...[5, 15, 25].map((seed): [string, World] => [
    `slow and fast changes, seed ${seed}`,
    { linkKbps: drawn(seed, [100, 1500], 1000) },
  ]),
  ...[7, 17].map((seed): [string, World] => [
    `changes every 5 s, seed ${seed}`,
    { linkKbps: drawn(seed, [400, 2000], 5000) },
  ]),
];

test.each(healthy)('a shared link is not left: %s', (_name, world) => {
  const played = playWorld(throughput, world);
  expect(pathways(played)).toEqual(['main']);
  expect(probeShare(played)).toBeLessThan(0.025);
  expect(played.faults).toEqual([]);
});

test.each([64, 90, 150])('on a shared link of %s kbit/s probes take little from media', (kbps) => {
  const world = { linkKbps: always(kbps), ladderKbps: [80, 150, 300] };
  const [played, unsteered] = [playWorld(throughput, world), playWorld(browser, world)];
  expect(pathways(played)).toEqual(['main']);
  expect(probeShare(played)).toBeLessThan(0.02);
  expect(played.stalledMs - unsteered.stalledMs).toBeLessThan(0.0025 * 180_000);
});

test('where segments are small, a limit is left as well', () => {
  const world = { linkKbps: always(2000), quicKbps: always(64), ladderKbps: [20, 30] };
  const played = playWorld(throughput, world);
  expect(played.stalledMs).toBeLessThanOrEqual(playWorld(browser, world).stalledMs);
  expect(played.faults).toEqual([]);
});

test('a return probe that fails does not bring the first pathway back', () => {
  const media = { pathway: 'tcp', purpose: 'media' } as const;
  const probe = { pathway: 'main', purpose: 'probe' } as const;
  let state = throughput.start({ pathways: PATHWAYS, seed: 1 });
  state = throughput.observe(state, { kind: 'began', atMs: 0, requestId: 'a', ...media });
  state = throughput.observe(state, { kind: 'began', atMs: 100, requestId: 'b', ...probe });
  const failed = {
    startMs: 100,
    firstByteMs: null,
    lastByteMs: 10_100,
    protocol: null,
    connectionReused: null,
  };
  const ended = { kind: 'ended', atMs: 10_100, requestId: 'b', outcome: 'failed', bytes: 0 } as const;
  state = throughput.observe(state, { ...ended, ...failed, ...probe });
  const moment = { nowMs: 10_200, bufferMs: 8000, lowestKbps: 80, highestKbps: 1200, running: [] };
  expect(throughput.choose(state, { ...moment, pathway: 'tcp' }).pathway).toBe('tcp');
  // Where the present one failed as well, playback goes on as without steering.
  state = throughput.observe(state, { ...ended, ...failed, ...media, requestId: 'a' });
  expect(throughput.choose(state, { ...moment, pathway: 'tcp' }).pathway).toBe('main');
});

test('a TCP pathway that is worse is not used', () => {
  const played = playWorld(throughput, { linkKbps: always(700), tcpKbps: always(200) });
  expect(pathways(played)).toEqual(['main']);
});

test('where both are limited, playback stays where it is', () => {
  const played = playWorld(throughput, {
    linkKbps: always(2000),
    quicKbps: always(150),
    tcpKbps: always(150),
  });
  expect(pathways(played).length).toBeLessThanOrEqual(3);
  expect(played.stalledMs).toBeLessThan(5000);
});

test('in another network, the first pathway is asked again', () => {
  const media = { pathway: 'tcp', purpose: 'media' } as const;
  let state = throughput.start({ pathways: PATHWAYS, seed: 1 });
  for (const [atMs, requestId, pathway] of [
    [0, 'a', 'main'],
    [2000, 'b', 'tcp'],
  ] as const)
    state = throughput.observe(state, { kind: 'began', atMs, requestId, ...media, pathway });
  const moment = { bufferMs: 8000, lowestKbps: 80, highestKbps: 1200, running: [], pathway: 'tcp' };
  expect(throughput.choose(state, { ...moment, nowMs: 3000 }).probe).toBeUndefined();
  state = throughput.observe(state, { kind: 'network-change', atMs: 3000 });
  expect(throughput.choose(state, { ...moment, nowMs: 3100 }).probe?.pathway).toBe('main');
});
