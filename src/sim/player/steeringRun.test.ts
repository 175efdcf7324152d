import { describe, expect, test } from 'vitest';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import { pick } from '../../shared/registry.ts';
import { policyOf, steeringPolicies } from '../../steering/registry.ts';
import { MAX_PROBE_MS } from '../../steering/steeringSession.ts';
import { valueOf } from '../../shared/result.ts';
import { checkSession } from '../../telemetry/schema/readSession.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { replay } from '../replay/replay.ts';
import { replaySteering } from '../replay/replaySteering.ts';
import { eventsOf, steady } from './playByHand.testing.ts';
import { playerModelWith } from './playerModel.ts';
import {
  sender,
  content,
  withAudio,
  limiter,
  type World,
  sceneOf,
  modelOf,
  play,
  meanKbps,
  pathwaysOf,
} from './steeredSession.testing.ts';

describe('behind a limit of UDP of 64 kbit/s on a path of 3 Mbit/s', () => {
  const udp = [limiter(64)];
  const h2 = play(null, { settings: { protocol: 'h2' } });

  test('throughput ends near the bitrate of h2, browser near the limit', () => {
    expect(meanKbps(h2)).toBeGreaterThan(1000);
    const steered = play('throughput', { udp });
    expect(meanKbps(steered)).toBeGreaterThan(0.9 * meanKbps(h2));
    const changes = pathwaysOf(steered);
    expect(changes.map(({ pathway }) => pathway).slice(0, 2)).toEqual(['main', 'tcp']);
    expect(changes[1]!.atMs).toBeLessThan(10_000);
    // Segments try main again, and are continued over tcp.
    for (const [index, { pathway, atMs }] of changes.entries())
      if (pathway === 'main' && index > 0)
        expect((changes[index + 1]?.atMs ?? atMs) - atMs).toBeLessThan(5000);
    const alone = play('browser', { udp });
    expect(meanKbps(alone)).toBe(80);
    expect(alone.outcome.stalls).toBeGreaterThan(5);
  });

  test('over h2 nothing is limited', () => {
    const alone = play('browser', { udp, settings: { protocol: 'h2' } });
    expect(meanKbps(alone)).toBeGreaterThan(0.99 * meanKbps(h2));
  });

  test('fixed uses tcp from the comparison on; the manifest and the first files come over main', () => {
    const { log } = play('fixed:pathway=tcp', { udp, content: { ...content, manifestBytes: 3000 } });
    const requests = eventsOf(log, 'request').toSorted((one, other) => one.atMs - other.atMs);
    expect(requests.slice(0, 4).map(({ type, pathway }) => [type, pathway])).toEqual([
      ['manifest', 'main'],
      ['init', 'main'],
      ['probe', 'tcp'],
      ['media', 'main'],
    ]);
    const startMs = eventsOf(log, 'steering')[0]!.atMs;
    expect(requests[2]!.range).toBe('0-799');
    const later = requests.filter(({ atMs, type }) => atMs > startMs && type === 'media');
    expect(later.length).toBeGreaterThan(50);
    for (const { pathway, protocol } of later) expect([pathway, protocol]).toEqual(['tcp', 'h2']);
  });
});

test('a limit of UDP from 60 s to 180 s is left within 15 s, and main is used again within a minute', () => {
  const udp = [limiter(64, 60_000, 180_000)];
  const steered = play('throughput', { udp });
  const changes = pathwaysOf(steered);
  const [first, left] = changes;
  expect([first, left].map((change) => change?.pathway)).toEqual(['main', 'tcp']);
  expect(left!.atMs).toBeGreaterThan(60_000);
  expect(left!.atMs).toBeLessThan(75_000);
  // Trials during the limit are left again; the last one is not.
  const back = changes.at(-1);
  expect(back?.pathway).toBe('main');
  expect(changes.findLast(({ pathway }) => pathway === 'tcp')!.atMs).toBeLessThan(185_000);
  expect(back!.atMs).toBeLessThan(240_000);
  expect(steered.outcome.stalls).toBe(0);
  expect(meanKbps(steered)).toBeGreaterThan(meanKbps(play('browser', { udp })));
});

test.each([
  [100, content],
  [300, content],
  [1000, content],
  [1000, withAudio],
  [3000, withAudio],
  [20_000, withAudio],
])('on a healthy path of %i kbit/s throughput stays on main', (linkKbps, played) => {
  const { log } = play('throughput', { linkKbps, content: played });
  expect(pathwaysOf({ log }).map(({ pathway }) => pathway)).toEqual(['main']);
  expect(eventsOf(log, 'steering').filter(({ rescue }) => rescue)).toEqual([]);
});

/** Bits of all bodies: with a payload of 1, all that a session took of the path. */
function bitsOf(log: SessionLog): number {
  return eventsOf(log, 'request').reduce((sum, { receivedBytes }) => sum + 8 * (receivedBytes ?? 0), 0);
}

describe('two pathways over one bottleneck', () => {
  // Always too slow for the lowest bitrates of video and audio: something is always on its way.
  const linkKbps = 120;
  const settings = { payload: 1, playMs: 200_000 };

  test.each(['throughput', 'rtt-ratio', 'oracle:schedule=main@0_tcp@20_main@40_tcp@41_main@100'])(
    '%s: all bytes together are no more than the path carries, and no less where it is always in use',
    (policy) => {
      const { log } = play(policy, { linkKbps, content: withAudio, settings });
      const carriedBits = linkKbps * log.parts[0]!.endMs!;
      expect(bitsOf(log)).toBeLessThanOrEqual(carriedBits);
      expect(bitsOf(log)).toBeGreaterThan(0.9 * carriedBits);
    },
  );

  test('a probe and the media beside it take no more than the rate together', () => {
    const { log } = play('throughput', { linkKbps: 1000, settings: { payload: 1 } });
    const requests = eventsOf(log, 'request');
    const probes = requests.filter(({ type, receivedBytes }) => type === 'probe' && receivedBytes! > 30_000);
    expect(probes.length).toBeGreaterThan(0);
    for (const probe of probes) {
      const beside = requests.filter(
        ({ type, startMs, endMs }) => type === 'media' && startMs! < probe.endMs! && endMs! > probe.startMs!,
      );
      const [fromMs, untilMs] = [probe, ...beside].reduce(
        ([from, until], { startMs, endMs }) => [Math.min(from, startMs!), Math.max(until, endMs!)] as const,
        [Infinity, -Infinity] as readonly [number, number],
      );
      const bits = [probe, ...beside].reduce((sum, { receivedBytes }) => sum + 8 * receivedBytes!, 0);
      expect(bits).toBeLessThanOrEqual(1000 * (untilMs - fromMs));
    }
  });
});

describe('a request that is continued', () => {
  const udp = [limiter(64)];
  const { log, outcome } = play('oracle:schedule=main@0_tcp@30', { udp, content: withAudio });
  const requests = eventsOf(log, 'request');
  const rests = requests.filter(({ continues }) => continues !== undefined);

  test('is two requests in the log, and has each byte exactly once', () => {
    expect(rests.length).toBeGreaterThan(0);
    for (const rest of rests) {
      const part = requests.find(({ id }) => id === rest.continues)!;
      expect(part).toMatchObject({ outcome: 'aborted', pathway: 'main', protocol: 'h3' });
      expect(rest).toMatchObject({ outcome: 'ok', pathway: 'tcp', protocol: 'h2', startMs: part.endMs });
      expect([rest.mediaType, rest.segment, rest.rung]).toEqual([part.mediaType, part.segment, part.rung]);
      const had = part.receivedBytes!;
      expect(rest.range).toBe(had === 0 ? null : `${had}-`);
      const { sizesBytes } = part.mediaType === 'audio' ? withAudio.audio! : withAudio.video;
      expect(had + rest.receivedBytes!).toBe(sizesBytes[part.rung!]![part.segment!]);
    }
  });

  test('is named by the choice and by the inputs of the policy', () => {
    const [rest] = rests;
    const choice = eventsOf(log, 'steering').find(({ rescue }) => rescue?.requestId === rest!.continues)!;
    expect(choice).toMatchObject({ fromPathway: 'main', pathway: 'tcp', atMs: rest!.startMs });
    const inputs = eventsOf(log, 'steering-input').map(({ input }) => input);
    const at = inputs.findIndex((input) => input.kind === 'ended' && input.requestId === rest!.continues);
    expect(inputs[at]).toMatchObject({ outcome: 'aborted', pathway: 'main' });
    expect(inputs[at + 1]).toMatchObject({ kind: 'began', requestId: rest!.id, pathway: 'tcp' });
  });

  test('leaves a session in which each segment was played once', () => {
    const played = requests.filter(
      ({ type, mediaType, outcome: end }) => type === 'media' && mediaType === 'video' && end === 'ok',
    );
    const segments = played.map(({ segment }) => segment!).sort((one, other) => one - other);
    expect(segments).toEqual(segments.map((_, index) => index));
    expect(outcome.rungs.length).toBeLessThanOrEqual(segments.length);
  });
});

/** Networks on which a policy must do what the contract says. */
const WORLDS: Readonly<Record<string, World>> = {
  'a limit of UDP': { udp: [limiter(64, 20_000, 90_000)], content: withAudio },
  'a block of UDP': { udp: [limiter(0, 20_000, 50_000)] },
  'random loss': {
    settings: { sender: { ...sender, lossSeed: 7 } },
  },
  'h1 as the protocol of main': { settings: { protocol: 'h1' }, content: withAudio, linkKbps: 700 },
  'a viewer who seeks': { settings: { seeks: [{ atMs: 30_000, toMs: 100_000 }] }, udp: [limiter(64)] },
};

describe.each(Object.entries(WORLDS))('with %s', (_what, world) => {
  test.each([...steeringPolicies.map(({ id }) => id), 'rtt-ratio:onlyOnFailure=false'])(
    '%s: with and without log the same, a valid log, again the same, and a replay chooses the same',
    (text) => {
      const model = modelOf(text, world);
      const { outcome, log } = model.record(sceneOf(world));
      expect(model.simulate(sceneOf(world))).toEqual(outcome);
      expect(modelOf(text, world).record(sceneOf(world)).log).toEqual(log);
      expect(checkSession(JSON.parse(JSON.stringify(log)))).toMatchObject({ ok: true });
      expect(eventsOf(log, 'error')).toEqual([]);
      const policy = valueOf(policyOf(text));
      const replayed = replaySteering(log, policy)!;
      expect(replayed.choices.length).toBeGreaterThan(30);
      expect([replayed.identical, replayed.faults]).toEqual([replayed.choices.length, []]);
      const decided = replay(log, pick(decidableRules, 'throughput'));
      expect([decided.identical, decided.faults]).toEqual([decided.decisions.length, []]);
    },
  );
});

test.each(decidableRules.map(({ id }) => id))(
  '%s: a replay decides the same although the rule began anew',
  (rule) => {
    const { log } = play('throughput', { rule, udp: [limiter(64, 20_000, 90_000)], content: withAudio });
    expect(pathwaysOf({ log }).length).toBeGreaterThan(1);
    const { decisions, identical, derived, faults } = replay(log, pick(decidableRules, rule));
    expect([identical, derived, faults]).toEqual([decisions.length, 0, []]);
  },
);

test('the inputs are those of the player: at most five looks a second, requests once they are 400 ms old', () => {
  const { log } = play('throughput', { udp: [limiter(64)] });
  const samples = eventsOf(log, 'steering-input').flatMap(({ input }) =>
    input.kind === 'sample' && input.progress.length > 0 ? [input] : [],
  );
  expect(samples.length).toBeGreaterThan(20);
  const gaps = samples.slice(1).map(({ atMs }, index) => atMs - samples[index]!.atMs);
  expect(Math.min(...gaps)).toBeGreaterThanOrEqual(200 - 1e-6);
  const requests = new Map(eventsOf(log, 'request').map((request) => [request.id, request]));
  for (const { atMs, progress } of samples) {
    const running = progress.map(({ requestId }) => requests.get(requestId)!);
    // While a probe runs, everything is looked at.
    if (running.some(({ type }) => type === 'probe')) continue;
    const ages = running.map((each) => atMs - (requests.get(each.continues ?? '') ?? each).startMs!);
    expect(Math.max(...ages)).toBeGreaterThanOrEqual(400 - 1e-6);
  }
});

test('a probe asks for the latest video segment, and is given up after 10 s', () => {
  // Without an end: nothing comes over h3 for 100 s, and this policy ends no probe by itself.
  const udp = [limiter(0, 20_000, 120_000)];
  const { log } = play('rtt-ratio', { udp });
  const probes = eventsOf(log, 'request').filter(({ type, range }) => type === 'probe' && range === '0-999');
  const late = probes.find(({ outcome }) => outcome === 'timeout')!;
  expect(late.endMs! - late.startMs!).toBeCloseTo(MAX_PROBE_MS, 6);
  expect(late.receivedBytes).toBe(0);
  const inputs = eventsOf(log, 'steering-input').map(({ input }) => input);
  expect(inputs.find((input) => input.kind === 'ended' && input.requestId === late.id)).toMatchObject({
    outcome: 'failed',
    bytes: 0,
    firstByteMs: null,
  });
  const tcp = probes.findLast(({ pathway, outcome }) => pathway === 'tcp' && outcome === 'ok')!;
  expect(tcp.url).toMatch(/^sim:\/\/tcp\.made%20by%20hand\/video-\d+\/\d+$/);
  expect(tcp).toMatchObject({ receivedBytes: 1000, segment: null, mediaType: null });
});

test('a pathway that does not answer within 10 s is left out, and playback goes on without it', () => {
  // The first file comes before the path dies for 12 s.
  const trace = {
    ...steady(1),
    endMs: Float64Array.of(180, 12_180, 1e9),
    rateKbps: Float64Array.of(3000, 0, 3000),
  };
  const world = { settings: { playMs: 30_000 } };
  const { log } = modelOf('fixed:pathway=tcp', world).record({ ...sceneOf(world), trace });
  expect(eventsOf(log, 'error').map(({ message }) => message)).toEqual([
    'The pathway tcp is left out: it did not answer in time.',
  ]);
  const media = eventsOf(log, 'request').filter(({ type }) => type === 'media');
  expect(media.length).toBeGreaterThan(3);
  expect(new Set(media.map(({ pathway }) => pathway))).toEqual(new Set(['main']));
});

test('the header has the policy, its parameters and both pathways, and policies differ in their ids', () => {
  const logs = ['browser', 'fixed:pathway=tcp', 'fixed:pathway=main'].map((policy) => play(policy).log);
  expect(logs[1]!.environment.steering).toEqual({
    policy: 'fixed',
    parameters: { pathway: 'tcp' },
    pathways: [
      { id: 'main', base: 'sim://made%20by%20hand', carries: 'any' },
      { id: 'tcp', base: 'sim://tcp.made%20by%20hand', carries: 'tcp' },
    ],
  });
  expect(new Set(logs.map(({ id }) => id)).size).toBe(3);
});

test('without steering a log has nothing of it', () => {
  const { log } = play(null);
  expect(log.environment).not.toHaveProperty('steering');
  expect(Object.keys(log.environment.settings!).filter((name) => name.startsWith('steering'))).toEqual([]);
  for (const request of eventsOf(log, 'request')) expect(request).not.toHaveProperty('pathway');
});

test('a policy that fails ends the session, and a block without an end is refused', () => {
  const failing = {
    ...valueOf(policyOf('browser')),
    choose: () => {
      throw new Error('no idea');
    },
  };
  const model = playerModelWith({ steering: { policy: failing, udp: [], tcpSender: null } });
  expect(() => model.simulate(sceneOf({}))).toThrow('The steering policy browser failed: no idea.');
  expect(() => modelOf('browser', { udp: [limiter(0)] })).toThrow(
    'steering.udp of the player model blocks UDP without an end.',
  );
  expect(() => modelOf('browser', { udp: [limiter(-1)] })).toThrow('kbps of a limit of UDP');
});
