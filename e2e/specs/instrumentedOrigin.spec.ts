import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserMode } from '../../lab/browser/browser.ts';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { readNetLogFile } from '../../lab/browser/chromium/readNetLogFile.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { readTransportLog } from '../../lab/origin/readTransportLog.ts';
import {
  startInstrumentedOrigin,
  type InstrumentedOrigin,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import { tools } from '../../lab/tools.ts';
import { builtApp } from '../fixtures/builtApp.ts';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import { transportOfNetLog } from '../../src/telemetry/join/transportOfBrowser.ts';
import { withTransport } from '../../src/telemetry/join/joinTransport.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { transportView } from '../../src/telemetry/transportView.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import type { OpenSession } from '../fixtures/openSession.ts';
import { ORIGIN_HOST } from '../fixtures/startOrigin.ts';
import { expect, test } from '../fixtures/test.ts';

test.skip(tools().origin === null && process.env['CI'] !== 'true', 'set-up has not built the origin');

const ARMS = [
  { mode: 'h1', protocol: 'http/1.1', controller: 'reno' },
  { mode: 'h2', protocol: 'h2', controller: 'reno' },
  { mode: 'h3-only', protocol: 'h3', controller: 'cubic-x2' },
] as const satisfies readonly { mode: BrowserMode['id']; protocol: string; controller: string }[];

let folder = '';
let origin: InstrumentedOrigin;
const transportLogFile = (): string => path.join(folder, 'transport.ndjson');

test.beforeAll(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-instrumented-'));
  origin = await startInstrumentedOrigin({
    host: ORIGIN_HOST,
    appFolder: builtApp,
    mounts: contentMounts(),
    transportLogFile: transportLogFile(),
    tcpController: 'reno',
    quicController: 'cubic',
    emulatedConnections: 2,
    zeroRtt: true,
  });
});

test.afterAll(async () => {
  await origin.stop();
  rmSync(folder, { recursive: true, force: true });
});

for (const { mode, protocol, controller } of ARMS)
  test(`the demo plays over ${protocol}, and each response says what its connection does`, async ({
    open,
  }) => {
    const session = await open({ mpd: '/media/demo/manifest.mpd', mode, origin });
    await session.playing();
    await session.page.waitForTimeout(3000);
    const log = await session.stop();
    const finished = requestsIn(log, ['init', 'media']).filter(
      ({ status }) => status === 200 || status === 206,
    );
    expect(finished.length).toBeGreaterThan(4);
    const connections = new Set<string>();
    for (const request of finished) {
      expect(request.protocol).toBe(protocol);
      const reported = Object.fromEntries(
        (request.serverTiming ?? []).map((metric) => [metric.name, metric]),
      );
      // Over loopback a round trip takes well under a second, on the busiest machine.
      expect(reported['rtt']?.durationMs).toBeGreaterThan(0);
      expect(reported['rtt']?.durationMs).toBeLessThan(1000);
      expect(Number(reported['cwnd']?.description)).toBeGreaterThan(2400);
      expect(reported['controller']?.description).toBe(controller);
      expect(transportView(request)).toMatchObject({ source: 'Server-Timing', controller });
      expect(request.cmsdDynamic).toMatch(/^"pitwall-origin";etp=\d+;rtt=\d+$/);
      connections.add(reported['connection']?.description ?? '');
    }
    const lane = session.page.locator('#lane-transport');
    await expect(lane.getByRole('img', { name: `From Server-Timing, ${controller}` })).toBeVisible();
    await expect(lane.locator('.lane-readout')).toHaveText(/window\s*[\d.]+ [kM]B.*RTT\s*[\d.]+ ms/);
    // The origin's own logs name the same connections, and saw the same protocol.
    const seen = readTransportLog(transportLogFile()).filter((sample) =>
      connections.has(String(sample.connection)),
    );
    expect(new Set(seen.map((sample) => String(sample.connection)))).toEqual(connections);
    expect(new Set(seen.map((sample) => sample.protocol))).toEqual(new Set([protocol]));
    const answered = readAccessLog(origin.accessLogFile).filter((record) => record.protocol === protocol);
    expect(answered.filter(({ uri }) => uri.includes('/media/demo/')).length).toBeGreaterThanOrEqual(
      finished.length,
    );
  });

test('playback over h3 survives a reset stream, a closed connection and GOAWAY, and comes back by 0-RTT; so does the next session of the browser', async ({
  open,
}) => {
  const netLogFile = path.join(folder, 'net.json');
  const faults = [
    { kind: 'reset', afterBytes: 100 },
    { kind: 'go-away' },
    { kind: 'close', afterBytes: 100 },
  ] as const;
  await origin.setFaults(
    faults.map((fault, index) => ({ path: '/media/demo/*.m4s', skip: 3 + 2 * index, count: 1, fault })),
  );
  const session = await open({ mpd: '/media/demo/manifest.mpd', mode: 'h3-only', origin, netLogFile });
  await session.playing();
  const segments = async (): Promise<RequestEvent[]> => requestsIn(await session.log());
  const failures = (requests: readonly RequestEvent[]): readonly RequestEvent[] =>
    requests.filter(({ outcome }) => outcome === 'network-error');
  const afterFailures = (requests: readonly RequestEvent[]): readonly RequestEvent[] => {
    const last = failures(requests).at(-1)?.atMs ?? Infinity;
    return requests.filter(({ outcome, atMs }) => outcome === 'ok' && atMs > last);
  };
  // The reset fails one; the closed connection takes along whatever else is on it.
  await expect.poll(async () => failures(await segments()).length, { timeout: 60_000 }).toBeGreaterThan(1);
  await expect
    .poll(async () => afterFailures(await segments()).length, { timeout: 60_000 })
    .toBeGreaterThan(0);
  const requests = requestsIn(await session.stop());
  await origin.setFaults([]);
  const afterwards = afterFailures(requests);
  for (const { protocol } of afterwards) expect(protocol).toBe('h3');
  const connection = ({ serverTiming }: (typeof requests)[number]): string | undefined =>
    serverTiming?.find(({ name }) => name === 'connection')?.description;
  expect(new Set(requests.filter(({ outcome }) => outcome === 'ok').map(connection)).size).toBeGreaterThan(1);
  const warm = await warmSession(session);
  await session.close();
  const netLog = await readNetLogFile(netLogFile);
  if (!netLog.ok) throw new Error(netLog.error);
  const log = withTransport(warm, 'netlog', transportOfNetLog(warm, netLog.value));
  const reported = eventsOf(log, 'transport');
  const [opening] = requestsIn(log, ['manifest']);
  expect(opening).toMatchObject({ type: 'manifest', protocol: 'h3', outcome: 'ok' });
  const { connectionId } = reported.find(({ requestId }) => requestId === opening!.id)!;
  const carrier = reported.find(
    (event) => event.connection && event.connectionId === connectionId,
  )!.connection!;
  expect(carrier).toMatchObject({ transport: 'quic', zeroRtt: 'AttemptedAndSucceeded' });
  // Made for this session, not left over from the one before.
  expect(carrier.startMs).not.toBeNull();
  const quic = [...netLog.value.connections.values()].filter(({ kind }) => kind === 'quic');
  const [first, ...later] = quic.map(({ zeroRtt }) => zeroRtt);
  expect(first).toBe('NotAttempted');
  expect(new Set(later)).toEqual(new Set(['AttemptedAndSucceeded']));
});

/**
 * The log of a session in a browser that has visited the origin and has no connection to it left. Chromium keeps session
 * tickets in memory: its profile is warm for as long as it runs, and a copy of it on disk is not (warmProfile.spec.ts).
 */
async function warmSession(visited: OpenSession): Promise<SessionLog> {
  const mpd = '/media/demo/manifest.mpd';
  await origin.setFaults([{ path: mpd, skip: 0, count: 1, fault: { kind: 'go-away' } }]);
  const url = new URL(mpd, origin.httpsUrl).href;
  await visited.page.evaluate(async (asked) => (await fetch(asked)).text(), url);
  const session = await visited.another({ mpd });
  await session.playing();
  return session.stop();
}
