import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/random.ts';
import type { SteeringEvent, SteeringMoment } from '../policy.ts';
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
const returns = ({ uses }: Played): number[] =>
  uses.filter(({ pathway }, index) => pathway === 'main' && index > 0).map(({ atMs }) => atMs);

describe('where QUIC is limited from the start', () => {
  test.each([64, 120, 200, 300])('to %s kbit/s, it is left within two segments', (limitKbps) => {
    const world = { linkKbps: always(2000), quicKbps: always(limitKbps) };
    const played = playWorld(throughput, world);
    const leftMs = played.uses[1]?.atMs ?? Infinity;
    expect(played.segments.filter(({ atMs }) => atMs <= leftMs).length).toBeLessThanOrEqual(2);
    const overTcp = playWorld(browser, { linkKbps: always(2000) });
    expect(meanKbps(played)).toBeGreaterThan(0.95 * meanKbps(overTcp));
    expect(played.stalledMs).toBeLessThan(0.02 * 180_000);
  });

  test.each([64, 450, 800])('to %s kbit/s of 2000, it is tried again less and less often', (limitKbps) => {
    const played = playWorld(throughput, { linkKbps: always(2000), quicKbps: always(limitKbps) });
    const pauses = returns(played).map((atMs, index, all) => atMs - (all[index - 1] ?? 0));
    expect(pauses.length).toBeGreaterThan(2);
    // The first is counted from the start of playback.
    expect(pauses.slice(1)).toEqual(pauses.slice(1).sort((one, other) => one - other));
    // The first segment of a trial may come over TCP, because QUIC has no connection.
    expect(Math.max(...pauses)).toBeLessThan(55_000);
    expect(pathways(played).at(-1)).toBe('tcp');
  });

  test('in a trial, rules keep what they know of the other pathway, and nothing of the trial', () => {
    const played = playWorld(throughput, { linkKbps: always(2000), quicKbps: always(64) });
    expect(played.uses.length).toBeGreaterThan(4);
    for (const { pathway, keepsHistory } of played.uses.slice(1))
      expect(keepsHistory).toBe(pathway === 'main');
    expect(played.uses[0]!.keepsHistory).toBe(false);
  });

  test('nothing is requested for a trial that is not played', () => {
    const played = playWorld(throughput, { linkKbps: always(2000), quicKbps: always(64) });
    expect(played.probes.map(({ pathway }) => pathway)).not.toContain('main');
    expect(probeShare(played)).toBeLessThan(0.01);
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
    expect(played.rescues[0]).toBe(left?.atMs);
    expect(played.stalledMs).toBeLessThanOrEqual(playWorld(browser, { linkKbps: always(2000) }).stalledMs);
  });

  test('HTTP/3 is used again within 60 s of its end, and in trials before', () => {
    expect(pathways(played).at(-1)).toBe('main');
    const left = played.uses.filter(({ pathway }) => pathway === 'tcp').at(-1);
    const back = returns(played).at(-1);
    expect(left?.atMs).toBeLessThan(200_000);
    expect(back).toBeLessThan(240_000);
    // A segment that is tried and is slow is continued on the other pathway.
    expect(played.rescues.length).toBe(played.uses.filter(({ pathway }) => pathway === 'tcp').length);
  });

  test('the trials cost next to nothing', () => {
    const unlimited = playWorld(browser, { linkKbps: always(2000), seconds: 300 });
    expect(meanKbps(played)).toBeGreaterThan(0.98 * meanKbps(unlimited));
  });
});

test('a second limit, after several trials, is left as soon as the first', () => {
  const isLimited = (s: number): boolean => (s >= 20 && s < 110) || (s >= 200 && s < 260);
  const quicKbps = (atMs: number): number => (isLimited(atMs / 1000) ? 64 : Infinity);
  const played = playWorld(throughput, { linkKbps: always(2000), quicKbps, seconds: 300 });
  const left = played.uses.filter(({ pathway }) => pathway === 'tcp').map(({ atMs }) => atMs);
  expect(left.filter((atMs) => atMs < 110_000).length).toBeGreaterThan(2);
  const second = left.find((atMs) => atMs > 200_000);
  expect(second).toBeLessThan(206_000);
  expect(played.stalledMs).toBeLessThan(1000);
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

/** A session that has left the first pathway at 2 s. */
function leftState(): ReturnType<typeof throughput.start> {
  const media = { purpose: 'media' } as const;
  let state = throughput.start({ pathways: PATHWAYS, seed: 1 });
  for (const [atMs, requestId, pathway] of [
    [0, 'a', 'main'],
    [2000, 'b', 'tcp'],
  ] as const)
    state = throughput.observe(state, { kind: 'began', atMs, requestId, ...media, pathway });
  return state;
}

const MOMENT = { bufferMs: 8000, lowestKbps: 80, highestKbps: 1200, running: [], pathway: 'tcp' };
const FAILED = {
  kind: 'ended',
  purpose: 'media',
  outcome: 'failed',
  bytes: 0,
  startMs: 2000,
  firstByteMs: null,
  protocol: null,
  connectionReused: null,
} as const;

test('a request that fails is a reason to change, where the other pathway did not fail', () => {
  const failed = { ...FAILED, atMs: 9000, lastByteMs: 9000 };
  const oneFailed = throughput.observe(leftState(), { ...failed, requestId: 'b', pathway: 'tcp' });
  expect(throughput.choose(oneFailed, { ...MOMENT, nowMs: 9100 }).pathway).toBe('main');
  const mainFailed = throughput.observe(leftState(), { ...failed, requestId: 'a', pathway: 'main' });
  expect(throughput.choose(mainFailed, { ...MOMENT, nowMs: 9100 }).pathway).toBe('tcp');
  // Where all failed, playback goes on as without steering.
  const allFailed = throughput.observe(mainFailed, { ...failed, requestId: 'b', pathway: 'tcp' });
  expect(throughput.choose(allFailed, { ...MOMENT, nowMs: 9100 }).pathway).toBe('main');
});

describe('a trial after a limit, whose connection is still slow', () => {
  /** Where media goes after segments over the first pathway came at these rates, and over the other at 3600 kbit/s. */
  const pathwayAfter = (ratesKbps: readonly number[], highestKbps: number): string => {
    const ended = {
      ...FAILED,
      outcome: 'ok' as const,
      firstByteMs: 0,
      protocol: 'h3',
      connectionReused: true,
    };
    const segment = (atMs: number, pathway: string, kbps: number) => ({
      ...ended,
      atMs,
      startMs: atMs - 1000,
      lastByteMs: atMs,
      pathway,
      requestId: `${pathway}-${atMs}`,
      bytes: kbps * 125,
    });
    const rescued = { ...FAILED, outcome: 'aborted' as const, atMs: 2000, lastByteMs: 2000 };
    let state = throughput.observe(leftState(), { ...rescued, requestId: 'a', pathway: 'main' });
    state = throughput.observe(state, { ...segment(8000, 'tcp', 3600), requestId: 'b' });
    const began = { kind: 'began', purpose: 'media', pathway: 'main' } as const;
    for (const [index, kbps] of ratesKbps.entries()) {
      const atMs = 12_000 + 2000 * index;
      state = throughput.observe(state, { ...began, atMs: atMs - 1000, requestId: `main-${atMs}` });
      state = throughput.observe(state, segment(atMs, 'main', kbps));
    }
    return throughput.choose(state, { ...MOMENT, pathway: 'main', nowMs: 19_000, highestKbps }).pathway;
  };
  test.each([
    ['two slow segments are too few to leave', [1500, 1600], 5000, 'main'],
    ['segments that become faster stay', [1500, 2500, 3000], 5000, 'main'],
    ['three slow ones are a reason to leave', [1500, 1600, 1700], 5000, 'tcp'],
    ['what is enough for the highest bitrate stays', [1500, 1600, 1700], 1200, 'main'],
  ])('%s', (_name, rates, highestKbps, pathway) => expect(pathwayAfter(rates, highestKbps)).toBe(pathway));
});

test('audio beside video does not make a pathway look slow', () => {
  const began = (requestId: string, atMs: number) =>
    ({ kind: 'began', atMs, requestId, pathway: 'main', purpose: 'media' }) as const;
  const events: SteeringEvent[] = [began('video', 0), began('audio', 0)];
  for (let atMs = 200; atMs <= 1000; atMs += 200)
    events.push({ kind: 'progress', atMs, requestId: 'video', bytes: 400 * atMs });
  events.push({
    kind: 'ended',
    atMs: 1000,
    requestId: 'audio',
    pathway: 'main',
    purpose: 'media',
    outcome: 'ok',
    bytes: 50_000,
    startMs: 0,
    firstByteMs: 50,
    lastByteMs: 1000,
    protocol: 'h3',
    connectionReused: true,
  });
  const state = events.reduce<ReturnType<typeof throughput.start>>(
    throughput.observe,
    throughput.start({ pathways: PATHWAYS, seed: 1 }),
  );
  const moment = {
    nowMs: 1000,
    pathway: 'main',
    bufferMs: 8000,
    lowestKbps: 80,
    highestKbps: 4000,
    running: [],
  };
  // 400 kbit/s of audio, 3200 of video.
  expect(throughput.choose(state, moment).values).toMatchObject({ presentKbps: 3600 });
});

test('of three pathways only the first is tried', () => {
  const pathways = [...PATHWAYS, { id: 'backup', carries: 'any' as const }];
  let state = throughput.start({ pathways, seed: 1 });
  for (const [atMs, requestId, pathway] of [
    [0, 'a', 'main'],
    [2000, 'b', 'tcp'],
  ] as const)
    state = throughput.observe(state, { kind: 'began', atMs, requestId, purpose: 'media', pathway });
  const failed = { ...FAILED, atMs: 9000, lastByteMs: 9000, requestId: 'c', pathway: 'main' };
  const avoided = throughput.observe(state, failed);
  expect(throughput.choose(avoided, { ...MOMENT, nowMs: 12_000 }).pathway).toBe('tcp');
  expect(throughput.choose(avoided, { ...MOMENT, nowMs: 19_100 }).pathway).toBe('main');
});

test('the first pathway is tried after its pause, but not with a short buffer', () => {
  const pathwayAt = (nowMs: number, bufferMs = 8000): string =>
    throughput.choose(leftState(), { ...MOMENT, nowMs, bufferMs }).pathway;
  expect([pathwayAt(9900), pathwayAt(10_000), pathwayAt(10_000, 3900)]).toEqual(['tcp', 'main', 'tcp']);
});

test('a trial is not given up for a probe that was judged after the pathway was left', () => {
  const left = leftState();
  const probe = { atMs: 3000, beforeKbps: 200, result: 'strong', wins: 1, losses: 0 } as const;
  const late = { ...left, probes: { ...left.probes, tcp: probe } };
  const because = (pathway: string) => throughput.choose(late, { ...MOMENT, nowMs: 12_000, pathway }).because;
  expect(because('tcp')).toContain('so a segment tries it');
  // Chosen, but no segment has used it yet.
  expect(because('main')).toBe('Nothing shows that another pathway is better.');
});

test('a trial over a long round trip is not ended before its bytes could come', () => {
  const slowStart = { linkKbps: always(2000), quicKbps: between(20, 60, 64), rttMs: 500, seconds: 150 };
  const played = playWorld(throughput, slowStart);
  expect(pathways(played).at(-1)).toBe('main');
  expect(returns(played).at(-1)).toBeLessThan(120_000);
});

describe('a probe that could only show more to gain', () => {
  /** A ladder whose lower half ends at 586 kbit/s. */
  const ladderKbps = [80, 150, 300, 600, 1200, 2500, 4300];

  test.each([700, 780, 900, 1100])('makes no segment come late on a link of %s kbit/s', (kbps) => {
    const world: World = { linkKbps: always(kbps), ladderKbps };
    const played = playWorld(throughput, world);
    expect(played.probes.length).toBeGreaterThan(0);
    expect(played.stalledMs).toBeLessThanOrEqual(playWorld(browser, world).stalledMs);
    expect(pathways(played)).toEqual(['main']);
  });

  test('is not waited with while playback stalls, but while the first segment comes', () => {
    const began = (requestId: string, atMs: number) =>
      ({ kind: 'began', atMs, requestId, pathway: 'main', purpose: 'media' }) as const;
    const first: SteeringEvent[] = [
      began('s0', 0),
      {
        kind: 'ended',
        atMs: 100,
        requestId: 's0',
        pathway: 'main',
        purpose: 'media',
        outcome: 'ok',
        bytes: 48_000,
        startMs: 0,
        firstByteMs: 50,
        lastByteMs: 100,
        protocol: 'h3',
        connectionReused: false,
      },
    ];
    // 982 kbit/s; 15 s for the whole segment.
    const slow: SteeringEvent[] = [began('s1', 200)];
    for (let atMs = 400; atMs <= 3200; atMs += 200)
      slow.push({ kind: 'progress', atMs, requestId: 's1', bytes: 122.75 * (atMs - 200) });
    const running: SteeringMoment['running'] = [
      {
        requestId: 's1',
        pathway: 'main',
        purpose: 'media',
        bytes: 368_250,
        totalBytes: 1_800_000,
      } as const,
    ];
    const moment = { nowMs: 3200, pathway: 'main', bufferMs: 0, lowestKbps: 80, highestKbps: 4300, running };
    const probeAfter = (events: readonly SteeringEvent[]) =>
      throughput.choose(
        events.reduce<ReturnType<typeof throughput.start>>(
          throughput.observe,
          throughput.start({ pathways: PATHWAYS, seed: 1 }),
        ),
        moment,
      ).probe;
    expect(probeAfter([...first, ...slow])).toMatchObject({ pathway: 'tcp' });
    expect(probeAfter(slow)).toBeUndefined();
  });

  test('is sent again soon where the rate has fallen since, as behind a policer that let a burst pass', () => {
    const quicKbps = (atMs: number): number => (atMs < 10_000 ? 1900 : 750);
    const { probes } = playWorld(throughput, { linkKbps: always(2000), quicKbps, ladderKbps });
    const [first, second] = probes.map(({ atMs }) => atMs);
    expect(first).toBeLessThan(10_000);
    expect(second).toBeLessThan(16_000);
  });

  test.each([2000, 2300])(
    'waits for the first segment after the burst of a limit near half of %s kbit/s',
    (kbps) => {
      const quicKbps = (atMs: number): number => (atMs < 5000 ? Infinity : 945);
      const { uses } = playWorld(throughput, { linkKbps: always(kbps), quicKbps, ladderKbps });
      expect(uses[1]?.atMs).toBeLessThan(30_000);
    },
  );
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

test('in another network, the first pathway is tried at once', () => {
  const state = leftState();
  expect(throughput.choose(state, { ...MOMENT, nowMs: 3000 }).pathway).toBe('tcp');
  const next = throughput.observe(state, { kind: 'network-change', atMs: 3000 });
  expect(throughput.choose(next, { ...MOMENT, nowMs: 3100 }).pathway).toBe('main');
});
