import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runRootPid } from '../../experiment/session/lock/machineRuns.ts';
import type { CompareCell, ComparePlan } from '../../experiment/session/plan.ts';
import { joinOrigin } from '../../experiment/session/joinTruth.ts';
import { openLinkedPlace } from '../../experiment/session/linkedPlace.ts';
import type { Place } from '../../experiment/session/place.ts';
import { playSession } from '../../experiment/session/playSession.ts';
import { builtApp } from '../fixtures/builtApp.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';
import { labBrowser } from '../../lab/browser/registry.ts';
import { contentMounts } from '../../lab/content/contentMounts.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import { requireTool } from '../../lab/tools.ts';
import { pick } from '../../src/shared/registry.ts';
import type { Network } from '../../experiment/design/plan.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const missing = linkMissing() ?? instrumentedMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const RTT_MS = 100;
const network: Network = {
  name: 'test',
  profile: {
    id: 'test',
    label: 'Test',
    paper: 'none',
    repeat: false,
    queue: { kind: 'droptail', bdp: 1 },
    steps: [{ durationMs: 1, downKbps: 20_000, upKbps: null, rttMs: RTT_MS, lossDown: 0, lossUp: 0 }],
  },
};
/** Every kernel has it, and neither transport begins with it. */
const CONTROLLER = 'reno';

test('the logs of a campaign on the instrumented origin say what carried each request, for TCP and QUIC', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-transport-'));
  try {
    const logs = await Promise.all(
      (['h2', 'h3-only'] as const).map((transport) => played(folder, transport)),
    );
    for (const log of logs) {
      expectRoundTrips(log);
      expectConnections(log);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

async function played(folder: string, transport: CompareCell['transport']): Promise<SessionLog> {
  const plan: ComparePlan = {
    logDir: folder,
    seconds: 5,
    startedAtUnixMs: Date.now(),
    rootPid: runRootPid(),
    runsFolder: tmpdir(),
    startLock: path.join(folder, 'start.lock'),
    presetId: 'experiment',
    groups: [],
    keepNetLog: false,
    devTools: false,
    shared: null,
    programs: { chromium: requireTool('chromium') },
    appFolder: builtApp,
    mounts: contentMounts(),
    instrumented: { initialWindowPackets: 20, tcpPacing: true, tlsRecords: 'dynamic', zeroRtt: false },
    networks: [network],
  };
  const link = { network: network.name, seed: 1, phaseMs: 0, leadInMs: 0 };
  const cell: CompareCell = {
    id: `told-${transport}`,
    rule: 'throughput',
    transport,
    controller: CONTROLLER,
    mpd: '/media/demo/manifest.mpd',
    link,
    design: null,
  };
  const place = await openLinkedPlace(plan, cell, link);
  try {
    const { log, faults } = await joinOrigin(await recorded(plan, cell, place), place.transportLog);
    expect(faults).toEqual([]);
    expect(log.environment).toMatchObject({
      transport,
      tcpController: 'reno, initial window 20 packets, paced',
      quicController: 'reno, initial window 20 packets, paced',
      origin: {
        program: 'instrumented',
        tlsRecords: 'dynamic',
        tcp: { controller: CONTROLLER },
        quic: { controller: CONTROLLER },
      },
    });
    return log;
  } finally {
    await place.leave();
  }
}

/** A campaign's session, but for its moment: a busy machine may play it late. */
async function recorded(plan: ComparePlan, cell: CompareCell, place: Place): Promise<SessionLog> {
  const target = {
    servers: [{ host: new URL(place.mpdUrl).hostname, port: 8443 }],
    ownCertificate: true,
  };
  const browser = await labBrowser.launch({
    ...place.browser,
    profileDir: path.join(plan.logDir, cell.id),
    flags: pick(labBrowser.modes, cell.transport).flags(target),
  });
  try {
    const page = await browser.context.newPage();
    const whenever = { ...place, ready: () => place.ready().then(() => null) };
    return await playSession(page, { plan, cell, place: whenever });
  } finally {
    await browser.close();
  }
}

/** What the answers say of round trips is what the link has. */
function expectRoundTrips(log: SessionLog): void {
  const { transport } = log.environment;
  const last = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  const reported = (name: string): number =>
    last.at(-1)?.serverTiming?.find((metric) => metric.name === name)?.durationMs ?? NaN;
  expect(reported('min-rtt'), transport!).toBeGreaterThanOrEqual(RTT_MS);
  expect(reported('min-rtt'), transport!).toBeLessThanOrEqual(RTT_MS * 1.1);
  expect(reported('rtt'), transport!).toBeGreaterThanOrEqual(RTT_MS);
  // The queue holds one bandwidth-delay product, which doubles a round trip; the rest is for a busy machine.
  expect(reported('rtt'), transport!).toBeLessThanOrEqual(RTT_MS * 3);
}

/** Each request has its connection, and each connection what the origin saw of it meanwhile. */
function expectConnections(log: SessionLog): void {
  const reported = eventsOf(log, 'transport').flatMap(({ source, origin }) =>
    source === 'origin' && origin ? [origin] : [],
  );
  const carried = reported.flatMap(({ requestIds }) => requestIds);
  const answered = requestsIn(log).filter(({ outcome }) => outcome === 'ok');
  expect(carried).toEqual(expect.arrayContaining(answered.map(({ id }) => id)));
  expect(new Set(carried).size).toBe(carried.length);
  for (const { protocol, controller, requestIds, samples } of reported.filter(hasCarried)) {
    expect(controller).toBe(CONTROLLER);
    const ends = log.events.flatMap((event) =>
      event.kind === 'request' && event.outcome === 'ok' && requestIds.includes(event.id) ? [event] : [],
    );
    for (const request of ends) expect(request.protocol).toBe(protocol);
    // It was watched from before its first answer to after it; its window has grown from the first.
    const firstEndMs = Math.min(...ends.map(({ lastByteMs }) => lastByteMs ?? Infinity));
    expect(samples[0]!.atMs).toBeLessThan(firstEndMs);
    expect(samples.at(-1)!.atMs).toBeGreaterThan(firstEndMs);
    const windows = samples.map(({ cwndBytes }) => cwndBytes ?? 0);
    expect(Math.max(...windows)).toBeGreaterThan(20 * 1448);
    expect(Math.min(...samples.map(({ rttMs }) => rttMs ?? Infinity))).toBeGreaterThanOrEqual(RTT_MS);
  }
  expect(reported.filter(hasCarried)).not.toEqual([]);
}

const hasCarried = ({ requestIds }: { readonly requestIds: readonly string[] }): boolean =>
  requestIds.length > 0;
