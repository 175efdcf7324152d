import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { readNetLogFile } from '../../lab/browser/readNetLogFile.ts';
import { watchDevTools, type DevToolsWatch } from '../../lab/browser/watchDevTools.ts';
import { createRoutedPath } from '../../lab/path/routedPath.ts';
import { requireTool } from '../../lab/tools.ts';
import type { RequestEvent, TransportEvent } from '../../src/telemetry/event.ts';
import { inconsistencies } from '../../src/telemetry/netlog/consistentPairs.ts';
import { transportOfDevTools } from '../../src/telemetry/netlog/transportOfDevTools.ts';
import { transportOfNetLog } from '../../src/telemetry/netlog/transportOfNetLog.ts';
import { withTransport } from '../../src/telemetry/netlog/withTransport.ts';
import { checkSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf } from '../fixtures/eventsOf.ts';
import { requestsIn } from '../fixtures/mediaRequests.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const ALL = ['manifest', 'init', 'index', 'media', 'other'] as const;

/** The log of a session with what both witnesses say of it, valid as a file. */
async function withTruth(log: SessionLog, watch: DevToolsWatch, netLogFile: string): Promise<SessionLog> {
  const facts = await readNetLogFile(netLogFile);
  if (!facts.ok) throw new Error(facts.error);
  const seen = withTransport(log, 'devtools', transportOfDevTools(log, watch.responses()));
  const told = withTransport(seen, 'netlog', transportOfNetLog(log, facts.value));
  const valid = checkSession(JSON.parse(JSON.stringify(told)));
  if (!valid.ok) throw new Error(valid.error);
  return valid.value;
}

interface Truth {
  readonly log: SessionLog;
  of(requestId: string, source: TransportEvent['source']): TransportEvent | undefined;
  outcomes(): string[];
}

function truthOf(log: SessionLog): Truth {
  const told = eventsOf(log, 'transport');
  const of: Truth['of'] = (id, source) =>
    told.find((event) => event.requestId === id && event.source === source);
  const races = told.filter(({ source, requestId }) => source === 'netlog' && requestId !== null);
  return { log, of, outcomes: () => races.flatMap((event) => event.races.map(({ outcome }) => outcome)) };
}

/** Each request of the player has its races by both witnesses, and they agree. */
function expectTruth({ log, of }: Truth): void {
  // One that was given up before it was answered may never have reached the network.
  const gone = ({ outcome, status }: RequestEvent): boolean =>
    outcome === 'in-flight' || (outcome === 'aborted' && status === null);
  for (const request of requestsIn(log, ALL).filter((each) => !gone(each))) {
    const [devTools, netLog] = [of(request.id, 'devtools'), of(request.id, 'netlog')];
    const what = `${request.id} ${request.outcome} ${request.url}`;
    expect(netLog?.races.length, what).toBeGreaterThan(0);
    if (request.status !== null) expect(devTools?.races, what).toHaveLength(1);
    if (request.outcome === 'network-error') expect(netLog!.races.at(-1)!.netError, what).toBeLessThan(0);
  }
  expect(inconsistencies(log)).toEqual([]);
}

const NAMES = { h2: 'main-alone', 'h3-only': 'quic-forced' } as const;

for (const mode of ['h2', 'h3-only'] as const)
  test(`without a race (${mode}) both witnesses say so`, async ({ open }, info) => {
    const { session, watch, netLogFile } = await watched(open, info.outputPath('net.json'), {
      mpd: '/media/test/template/manifest.mpd',
      mode,
    });
    await session.playing();
    const log = await session.stop();
    await session.close();
    const truth = truthOf(await withTruth(log, watch(), netLogFile));
    expectTruth(truth);
    expect(new Set(truth.outcomes())).toEqual(new Set([NAMES[mode]]));
  });

test('a session that learned h3 before races, and both witnesses agree on who won', async ({
  open,
}, info) => {
  const options: SessionOptions = {
    mpd: '/media/test/template/manifest.mpd',
    mode: 'h3-racing',
    profileDir: info.outputPath('profile'),
  };
  const before = await open(options);
  await before.playing();
  await before.close();
  const { session, watch, netLogFile } = await watched(open, info.outputPath('net.json'), options);
  await session.playing();
  const log = await session.stop();
  await session.close();
  const truth = truthOf(await withTruth(log, watch(), netLogFile));
  expectTruth(truth);
  // Who wins is the network's; that there was a race is the browser's.
  expect(truth.outcomes().some((outcome) => outcome === 'alternative-won' || outcome === 'main-won')).toBe(
    true,
  );
  expect(truth.outcomes()).toContain('alternative-reused');
});

test.describe('on a path of namespaces', () => {
  const able = process.platform === 'linux' && process.getuid?.() === 0;
  test.skip(
    !able && !process.env['CI'],
    'needs Linux and root: it loses packets inside a path of namespaces',
  );

  test('UDP falls silent: every request has its races, and the broken period its cause', async ({
    open,
  }, info) => {
    const routed = await createRoutedPath({ downKbps: 3000 });
    const origin = await startOrigin({
      namespace: routed.serverNamespace,
      addresses: [routed.serverAddress],
    });
    try {
      const { session, watch, netLogFile } = await watched(open, info.outputPath('net.json'), {
        mpd: '/media/demo/manifest.mpd',
        mode: 'h3-racing',
        rule: 'dashjs-throughput',
        origin,
        address: routed.serverAddress,
        executablePath: await routed.clientWrapper(requireTool('chromium')),
      });
      await session.playing();
      await until(async () => (await carriedBy(session, 'h3', 0)) > 1, 'media on h3');
      const { sessionMs: silentAtMs } = await session.state();
      await routed.dropUdp();
      // QUIC's last attempt, an orphan beside the first request on h2, is given up 4 s later; then Alt-Svc is broken.
      await until(async () => (await carriedBy(session, 'h2', silentAtMs)) > 0, 'media on h2');
      const { sessionMs: onH2AtMs } = await session.state();
      await until(async () => (await carriedBy(session, 'h2', onH2AtMs + 7000)) > 0, 'media on h2 later');
      expect(await routed.droppedPackets()).toBeGreaterThan(0);
      await routed.passUdp();
      const log = await session.stop();
      await session.close();

      const truth = truthOf(await withTruth(log, watch(), netLogFile));
      expectTruth(truth);
      const outcomes = truth.outcomes();
      console.log(`outcomes: ${[...new Set(outcomes)].join(', ')}`);
      expect(outcomes).toContain('alternative-reused');
      expect(outcomes).toContain('main-broken');
      const told = eventsOf(truth.log, 'transport');
      // What was on QUIC when it died failed, or was restarted and raced again: both say with which error.
      const died = told.filter(({ races }) => races.some(({ netError }) => (netError ?? 0) < 0));
      console.log(
        `died: ${died.map(({ races }) => races.map((each) => `${each.outcome} ${each.netError}`).join(' then ')).join('; ')}`,
      );
      expect(died.length).toBeGreaterThan(0);
      const broken = told.flatMap(({ races }) => races).filter(({ outcome }) => outcome === 'broken');
      console.log(`broken: ${broken.map((each) => `${each.startMs} ${each.cause}`).join('; ')}`);
      expect(broken.length).toBeGreaterThan(0);
      expect(broken[0]!.startMs!).toBeGreaterThan(silentAtMs);
      expect(broken[0]!.cause).toMatch(/^QUIC_/);
      // The connection that fell silent is there, with what went over it and why it closed.
      const quic = told.flatMap(({ connection }) => (connection?.transport === 'quic' ? connection : []));
      expect(quic.some((each) => each.handshakeMs !== null && /^QUIC_/.test(each.close ?? ''))).toBe(true);
    } finally {
      await origin.stop();
      await routed.remove();
    }
  });
});

async function watched(
  open: (options: SessionOptions) => Promise<OpenSession>,
  netLogFile: string,
  options: SessionOptions,
) {
  await mkdir(path.dirname(netLogFile), { recursive: true });
  let watch: DevToolsWatch | null = null;
  const session = await open({
    ...options,
    netLogFile,
    beforeLoad: async (page) => void (watch = await watchDevTools(page)),
  });
  return { session, netLogFile, watch: () => watch! };
}

/** Media that came over a protocol and was asked for since. */
async function carriedBy(session: OpenSession, protocol: string, sinceMs: number): Promise<number> {
  const media = requestsIn(await session.log());
  return media.filter((each) => each.atMs >= sinceMs && each.outcome === 'ok' && each.protocol === protocol)
    .length;
}

async function until(condition: () => Promise<boolean>, what: string): Promise<void> {
  for (const endMs = Date.now() + 60_000; Date.now() < endMs;) {
    if (await condition()) return;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  throw new Error(`it did not happen: ${what}`);
}
