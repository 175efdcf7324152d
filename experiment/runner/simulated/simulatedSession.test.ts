import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { simulatedSession } from './simulatedSession.ts';
import { writeSimulated } from './playSimulated.ts';
import { rattanConfig } from '../../../lab/link/rattanConfig.ts';
import type { CampaignFile } from '../../design/campaignFile.ts';
import { isFinished } from '../../design/finishedLog.ts';
import { linkProfile } from '../../design/linkProfile.ts';
import type { CampaignPlan } from '../../design/plan.ts';
import { networksOf } from '../../design/networks.ts';
import { planCampaign } from '../../design/planCampaign.ts';
import { startingFile } from '../../design/startingFile.ts';
import { envivio } from '../../../src/sim/envivio.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';
import { valueOf } from '../../../src/shared/result.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-simulated-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const FILE: CampaignFile = {
  ...startingFile,
  rules: ['throughput', 'dashjs-dynamic'],
  transports: ['h2', 'h3-racing'],
  profiles: ['dvl', 'np2b-typical-delay-typical-loss'],
  repeats: 1,
  seeds: [1],
  seconds: 30,
  phase: 'drawn',
};

const planned = (changes: Partial<CampaignFile> = {}): CampaignPlan => {
  const file = { ...FILE, ...changes };
  return valueOf(planCampaign(file, networksOf(file)));
};

const contents = { demo: { ...envivio, manifestBytes: 3000 } };
const about = { seconds: FILE.seconds, preset: 'experiment', contents };

/** All that the laboratory depends on: sessions in their order, with the arm and the link parameters of each. */
const scheduleOf = ({ sessions }: CampaignPlan): string =>
  JSON.stringify(sessions.map(({ id, design, link }) => [id, design, link]));
const linksOf = ({ sessions, networks }: CampaignPlan): string =>
  JSON.stringify(
    sessions.map(({ link }) => {
      const { profile } = networks.find(({ name }) => name === link!.network)!;
      return rattanConfig(linkProfile(profile, link!, 90_000), { folder: '/links', seed: link!.seed });
    }),
  );

let runs = 0;
/** The logs that a plan leaves, by file name. */
async function logsOf({ sessions, networks }: CampaignPlan): Promise<Record<string, string>> {
  const logDir = path.join(folder, String((runs += 1)));
  mkdirSync(logDir);
  await writeSimulated({ ...about, sessions, networks, logDir }, { from: 0, to: sessions.length });
  const names = readdirSync(logDir).sort();
  return Object.fromEntries(names.map((name) => [name, readFileSync(path.join(logDir, name), 'utf8')]));
}

/** A log without what names its session: what happened in it. */
const eventsIn = (texts: Record<string, string>): string[] =>
  Object.values(texts).map((text) => JSON.stringify((JSON.parse(text) as SessionLog).events));

describe('the same campaign twice', () => {
  test('has the same schedule, arms, orders and links, byte for byte, and the same logs', async () => {
    const [one, other] = [planned(), planned()];
    expect(scheduleOf(one)).toBe(scheduleOf(other));
    expect(linksOf(one)).toBe(linksOf(other));
    const logs = await logsOf(one);
    expect(Object.keys(logs)).toHaveLength(8);
    expect(await logsOf(other)).toEqual(logs);
  });

  test('with another seed has others', async () => {
    const [one, other] = [planned(), planned({ seeds: [2] })];
    expect(scheduleOf(one)).not.toBe(scheduleOf(other));
    expect(linksOf(one)).not.toBe(linksOf(other));
    const [texts, otherTexts] = [await logsOf(one), await logsOf(other)];
    expect(Object.keys(texts).filter((name) => name in otherTexts)).toEqual([]);
    const seen = new Set(eventsIn(texts));
    expect(eventsIn(otherTexts).filter((events) => seen.has(events))).toEqual([]);
  });
});

describe('a simulated session', () => {
  const plan = planned();
  const session = plan.sessions.find(
    ({ rule, transport }) => rule === 'throughput' && transport === 'h3-racing',
  )!;
  const log = simulatedSession({ ...about, networks: plan.networks }, session);
  const states = log.events.flatMap((event) => (event.kind === 'playback' ? [event] : []));

  test('is finished in the eyes of the campaign, and says what it is', () => {
    expect(isFinished(session, JSON.stringify(log))).toBe(true);
    expect(log.environment).toMatchObject({
      transport: 'h3-racing',
      preset: 'experiment',
      rule: 'throughput',
      simulator: 'player',
      link: session.link!.network,
    });
    expect(log.environment.missing).not.toHaveProperty('preset');
  });

  test('fills the buffer as far as its preset says', () => {
    const highest = (preset: string): number =>
      Math.max(
        ...plan.sessions.flatMap((each) =>
          simulatedSession({ ...about, preset, networks: plan.networks }, each).events.flatMap((event) =>
            event.kind === 'buffer' && event.mediaType === 'video' ? [event.levelMs] : [],
          ),
        ),
      );
    expect(highest('experiment')).toBeGreaterThan(12_000);
    expect(highest('experiment:bufferSeconds=9')).toBeLessThanOrEqual(9000);
  });

  test('asks to play at the end of the lead-in and lasts as long as the campaign says', () => {
    const playing = states.find(({ state }) => state === 'playing')!;
    expect(states[0]).toMatchObject({ state: 'play-requested', atMs: 5000 });
    expect(states.at(-1)).toMatchObject({ state: 'stopped', atMs: playing.atMs + 30_000 });
  });

  test('of a rule inside dash.js is played by the one of ours that it is', () => {
    const ofDash = plan.sessions.find(({ rule }) => rule === 'dashjs-dynamic')!;
    const { environment, design } = simulatedSession({ ...about, networks: plan.networks }, ofDash);
    expect([environment.rule, design!.arm]).toEqual(['dynamic', ofDash.design.arm]);
  });

  test('gets the trace that the lab’s link would carry: the same phase for all arms of a pair', () => {
    const arms = plan.sessions.filter(({ design }) => design.pair === session.design.pair);
    expect(new Set(arms.map(({ link }) => JSON.stringify(link))).size).toBe(1);
    expect(session.link!.phaseMs).toBeGreaterThan(0);
  });
});

describe('a simulated session with steering', () => {
  const STEERING = ['browser', 'throughput', 'fixed:pathway=tcp'];
  const plan = planned({
    profiles: ['udp-limiter'],
    transports: ['h3-only'],
    rules: ['throughput'],
    steering: STEERING,
    compare: 'steering',
  });
  const logOf = (steering: string) =>
    simulatedSession(
      { ...about, networks: plan.networks, seconds: 120 },
      plan.sessions.find((session) => session.steering === steering)!,
    );
  const mediaIn = ({ events }: SessionLog) =>
    events.flatMap((event) => (event.kind === 'request' && event.type === 'media' ? [event] : []));

  test.each(STEERING)('%s has its policy, both pathways and a probe in the log', (steering) => {
    const log = logOf(steering);
    const { environment, design } = log;
    expect(environment.steering!.policy).toBe(steering.split(':')[0]);
    expect(environment.steering!.pathways.map(({ id, carries }) => [id, carries])).toEqual([
      ['main', 'any'],
      ['tcp', 'tcp'],
    ]);
    expect(environment).toMatchObject({ transport: 'h3-only', link: 'udp-limiter' });
    expect(environment.settings).toMatchObject({ protocol: 'h3', 'steering.udp': '0–∞: 64' });
    expect(design!.arm).toContain(steering);
    expect(log.events.some((event) => event.kind === 'request' && event.type === 'probe')).toBe(true);
  });

  test('meets the limit of UDP over main only', () => {
    const rates = (steering: string, pathway: string): number[] =>
      mediaIn(logOf(steering)).flatMap(({ pathway: over, outcome, receivedBytes, startMs, endMs }) =>
        over === pathway && outcome === 'ok' ? [(8 * receivedBytes!) / (endMs! - startMs!)] : [],
      );
    // The first one has the burst that the limit lets pass at once.
    expect(Math.max(...rates('browser', 'main').slice(1))).toBeLessThan(64);
    expect(rates('browser', 'tcp')).toEqual([]);
    expect(Math.max(...rates('fixed:pathway=tcp', 'tcp'))).toBeGreaterThan(1000);
    expect(rates('throughput', 'tcp').length).toBeGreaterThan(10);
  });

  test('stays with HTTP/3 where packets are lost at random: a slow moment is no limit', () => {
    const lossy = planned({
      origin: 'instrumented',
      rules: ['dashjs-dynamic'],
      transports: ['h3-only'],
      repeats: 20,
      profiles: ['np2b-large-delay-large-loss'],
      steering: STEERING,
      compare: 'steering',
    });
    const instrumented = { initialWindowPackets: 10, tcpPacing: true, tlsRecords: 'dynamic' } as const;
    const over = { ...about, networks: lossy.networks, instrumented, seconds: 180 };
    const used = lossy.sessions
      .filter(({ steering }) => steering === 'throughput')
      .map((session) => mediaIn(simulatedSession(over, session)).map(({ pathway }) => pathway));
    expect(used).toHaveLength(20);
    expect(used.flat().filter((pathway) => pathway === 'tcp')).toEqual([]);
  });

  test('of the instrumented origin sends over tcp by the controller of TCP', () => {
    const own = planned({
      origin: 'instrumented',
      controllers: ['tcp=reno:quic=cubic'],
      rules: ['throughput'],
      profiles: ['udp-limiter'],
      transports: ['h3-only'],
      steering: STEERING,
      compare: 'steering',
    });
    const instrumented = { initialWindowPackets: 10, tcpPacing: true, tlsRecords: 'dynamic' } as const;
    const log = simulatedSession({ ...about, networks: own.networks, instrumented }, own.sessions[0]!);
    expect(log.environment.settings).toMatchObject({
      'sender.instrumented': 'cubic, paced, TLS records dynamic',
      'steering.tcpSender.instrumented': 'reno, paced, TLS records dynamic',
    });
  });
});

describe('a simulated session of the instrumented origin over a network with losses', () => {
  const plan = planned({
    origin: 'instrumented',
    controllers: ['tcp=reno:quic=cubic-x2'],
    rules: ['throughput'],
    transports: ['h1', 'h3-only'],
    profiles: ['np2b-typical-delay-large-loss'],
  });
  const instrumented = { initialWindowPackets: 10, tcpPacing: true, tlsRecords: 'dynamic' } as const;
  const logOf = (transport: string) =>
    simulatedSession(
      { ...about, networks: plan.networks, instrumented },
      plan.sessions.find((session) => session.transport === transport)!,
    );

  test('has the controller of its transport, the first window, and the seed of the pair', () => {
    const [tcp, quic] = ['h1', 'h3-only'].map((transport) => logOf(transport).environment.settings!);
    expect(tcp).toMatchObject({
      'sender.initialPackets': 10,
      'sender.instrumented': 'reno, paced, TLS records dynamic',
    });
    expect(quic!['sender.instrumented']).toBe('cubic-x2, paced, TLS records dynamic');
    const { seed } = plan.sessions[0]!.link!;
    expect([tcp!['sender.lossSeed'], quic!['sender.lossSeed']]).toEqual([seed, seed]);
  });

  test('without losses none of this is in the log of Caddy', () => {
    const [session] = planned({ profiles: ['dvl'] }).sessions;
    const { networks } = planned({ profiles: ['dvl'] });
    const { settings } = simulatedSession({ ...about, networks }, session!).environment;
    expect(Object.keys(settings!).filter((name) => name.startsWith('sender.'))).toEqual([
      'sender.initialPackets',
      'sender.queuePackets',
    ]);
  });

  test('cannot send by BBR', () => {
    const [session] = plan.sessions;
    const withBbr = { ...session!, controller: 'bbr' };
    expect(() => simulatedSession({ ...about, networks: plan.networks, instrumented }, withBbr)).toThrow(
      'The player model has Reno and Cubic, not BBR.',
    );
  });
});
