import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { TestInfo } from '@playwright/test';
import { joinTruth } from '../../experiment/session/joinTruth.ts';
import type { RequestWatch } from '../../lab/browser/browser.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import { watchDevTools } from '../../lab/browser/chromium/watchDevTools.ts';
import type { Origin } from '../../lab/caddy/origin.ts';
import { createLink } from '../../lab/link/createLink.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { looks, photograph } from '../../lab/screenshots/look.ts';
import { requireTool } from '../../lab/tools.ts';
import { formatCause } from '../../src/charts/marks/raceMarks.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { TransportEvent } from '../../src/telemetry/event.ts';
import { checkSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession, SessionOptions } from '../fixtures/openSession.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

const ALL = ['manifest', 'init', 'index', 'media', 'other'] as const;

/** The log of a session with both transport sources, valid as a file. Nothing is missing, and the sources agree. */
async function withTruth(log: SessionLog, watch: RequestWatch, netLogFile: string): Promise<SessionLog> {
  const reported = await joinTruth(log, {
    browser: labBrowser,
    netLogFile,
    responses: watch.responses(),
  });
  expect(reported.faults).toEqual([]);
  const valid = checkSession(JSON.parse(JSON.stringify(reported.log)));
  if (!valid.ok) throw new Error(valid.error);
  return valid.value;
}

interface Truth {
  readonly log: SessionLog;
  of(requestId: string, source: TransportEvent['source']): TransportEvent | undefined;
  outcomes(): string[];
}

function truthOf(log: SessionLog): Truth {
  const reported = eventsOf(log, 'transport');
  const of: Truth['of'] = (id, source) =>
    reported.find((event) => event.requestId === id && event.source === source);
  const races = reported.filter(({ source, requestId }) => source === 'netlog' && requestId !== null);
  return { log, of, outcomes: () => races.flatMap((event) => event.races.map(({ outcome }) => outcome)) };
}

/** Each request that was answered or failed has races by the NetLog: in our sessions no cache answers. */
function expectTruth({ log, of }: Truth): void {
  for (const { id, outcome, status, url } of requestsIn(log, ALL)) {
    if (outcome === 'in-flight' || (outcome === 'aborted' && status === null)) continue;
    expect(of(id, 'netlog')?.races.length, `${id} ${outcome} ${url}`).toBeGreaterThan(0);
  }
}

const NAMES = { h2: 'main-alone', 'h3-only': 'quic-forced' } as const;

for (const mode of ['h2', 'h3-only'] as const)
  test(`without a race (${mode}) both transport sources say so`, async ({ open }, info) => {
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

test('a session that learned h3 before races, and both transport sources agree on who won', async ({
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

test.describe('over an emulated link', () => {
  const missing = linkMissing();
  test.skip(missing !== null && !process.env['CI'], missing ?? '');

  test('UDP is silent from 20 s until h2 has taken over: every request has its races, the broken period its cause, and both are seen', async ({
    open,
  }, info) => {
    const { log, silent } = await playSilenced(open, info.outputPath('net.json'));
    const truth = truthOf(log);
    expectTruth(truth);
    const outcomes = truth.outcomes();
    console.log(`outcomes: ${[...new Set(outcomes)].join(', ')}`);
    expect(outcomes).toContain('alternative-reused');
    expect(outcomes).toContain('main-broken');
    const reported = eventsOf(log, 'transport');
    expectDeaths(reported, silent);
    const [broken] = expectBroken(reported, silent);
    // The connection that fell silent is there, with what went over it and why it closed.
    const quic = reported.flatMap(({ connection }) => (connection?.transport === 'quic' ? connection : []));
    expect(quic.some((each) => each.handshakeMs !== null && /^QUIC_/.test(each.close ?? ''))).toBe(true);
    await expectSeen(open, { log, cause: broken!.cause! }, info);
  });
});

/** Media is asked for until 52 s at least: the demo has 72 s, and the player loads 20 s ahead. */
const SILENT_FROM_MS = 20_000;
/** An attempt over QUIC that nobody answers is given up after 4 s; only then is Alt-Svc broken. */
const ATTEMPT_MS = 6000;
const profile: Profile = {
  id: 'silence',
  label: 'UDP silent for a while',
  paper: 'none',
  repeat: false,
  steps: [{ durationMs: 1, downKbps: 3000, upKbps: null, rttMs: 40, lossDown: 0, lossUp: 0 }],
  queue: { kind: 'droptail', bdp: 2 },
};

/** Session times at which UDP fell silent and came back. */
interface Silent {
  readonly fromMs: number;
  readonly toMs: number;
}

async function playSilenced(open: Open, netLogFile: string): Promise<{ log: SessionLog; silent: Silent }> {
  const link = await createLink({ profile, seed: 1 });
  let origin: Origin | null = null;
  try {
    const { namespace, address } = link.server;
    origin = await startOrigin({ namespace, addresses: [address] });
    const { session, watch } = await watched(open, netLogFile, {
      mpd: '/media/demo/manifest.mpd',
      mode: 'h3-racing',
      rule: 'dashjs-throughput',
      origin,
      address,
      executablePath: await link.clientWrapper(requireTool('chromium')),
    });
    const nowMs = async (): Promise<number> => (await session.state()).sessionMs;
    await session.playing();
    await until(async () => (await carriedBy(session, 'h3', 0)) > 1, 'media on h3');
    await until(async () => (await nowMs()) > SILENT_FROM_MS, 'playback to the silence');
    await link.limit('udp', 0);
    const silentMs = await nowMs();
    // With bodies in flight Chromium held on to a silent connection for 7 to 23 s.
    await until(async () => (await carriedBy(session, 'h2', silentMs)) > 0, 'media on h2 in the silence');
    await session.page.waitForTimeout(ATTEMPT_MS);
    await link.limit('udp', null);
    const backMs = await nowMs();
    // UDP is back, but the browser still uses h2: it has not discovered that.
    await until(async () => (await carriedBy(session, 'h2', backMs)) > 1, 'media on h2 after the silence');
    const log = await session.stop();
    await session.close();
    const [fromMs, toMs] = link.udpChanges.map(({ atUnixMs }) => atUnixMs - log.clock.startedAtUnixMs);
    return { log: await withTruth(log, watch(), netLogFile), silent: { fromMs: fromMs!, toMs: toMs! } };
  } finally {
    await origin?.stop();
    await link.remove();
  }
}

type Open = (options: SessionOptions) => Promise<OpenSession>;

/** What was on QUIC when it died failed, or was restarted and raced again: both say with which error. */
function expectDeaths(reported: readonly TransportEvent[], silent: Silent): void {
  const died = reported.filter(({ requestId, races }) => {
    const ended = races.filter(({ netError, outcome }) => netError != null && outcome !== 'cancelled');
    return requestId !== null && ended.length > 0;
  });
  const formatFault = died.map(({ races }) =>
    races.map(({ outcome, netError }) => `${outcome} ${netError}`).join(' then '),
  );
  console.log(`died: ${formatFault.join('; ')}`);
  expect(died.length).toBeGreaterThan(0);
  for (const { races } of died) expect(races[0]!.startMs!).toBeLessThan(silent.toMs);
}

function expectBroken(reported: readonly TransportEvent[], silent: Silent) {
  const broken = reported.flatMap(({ races }) => races).filter(({ outcome }) => outcome === 'broken');
  console.log(
    `silent: ${silent.fromMs} to ${silent.toMs}; broken: ${broken.map((each) => `${each.startMs} ${each.cause}`).join('; ')}`,
  );
  expect(broken.length).toBeGreaterThan(0);
  expect(broken[0]!.startMs!).toBeGreaterThan(silent.fromMs);
  // An attempt that began in the silence may be given up a little after it.
  expect(broken[0]!.startMs!).toBeLessThan(silent.toMs + 10_000);
  expect(broken[0]!.cause).toMatch(/^QUIC_/);
  return broken;
}

/** The racing chart shows the period with its cause. Leaves pictures of the lane in every look. */
async function expectSeen(
  open: Open,
  { log, cause }: { log: SessionLog; cause: string },
  info: TestInfo,
): Promise<void> {
  const { page, close } = await open({ mpd: '/media/test/template/manifest.mpd', autoplay: false });
  await writeFile(info.outputPath('session.json'), JSON.stringify(log));
  await page.locator('#file').setInputFiles(info.outputPath('session.json'));
  const lane = page.locator('#lane-racing');
  const picture = lane.getByRole('img');
  await expect(picture).toHaveAttribute('aria-label', /Alt-Svc broken from 0:\d\d to the end/);
  await expect(picture).toHaveAttribute('aria-label', new RegExp(cause.split(':')[0]!));
  // The head describes the session's end, which lies in the period.
  await expect(lane).toContainText(formatCause(cause));
  for (const look of looks) {
    await photograph(page, look);
    await lane.screenshot({ path: info.outputPath(`racing-${look.id}.png`) });
  }
  await close();
}

async function watched(
  open: (options: SessionOptions) => Promise<OpenSession>,
  netLogFile: string,
  options: SessionOptions,
) {
  await mkdir(path.dirname(netLogFile), { recursive: true });
  let watch: RequestWatch | null = null;
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
