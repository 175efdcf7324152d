import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { CompareCell } from '../../experiment/session/plan.ts';
import { joinOrigin } from '../../experiment/session/joinTruth.ts';
import { eventsOf, requestsIn } from '../fixtures/logEvents.ts';
import { DEMO_MPD, playLinkedCell } from '../fixtures/playLinkedCell.ts';
import { expect, test } from '../fixtures/test.ts';
import { linkMissing } from '../../lab/link/linkMissing.ts';
import { instrumentedMissing } from '../../lab/origin/instrumentedMissing.ts';
import type { Profile } from '../../src/network/profile.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const missing = linkMissing() ?? instrumentedMissing();
test.skip(missing !== null && !process.env['CI'], missing ?? '');

const RTT_MS = 100;
const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  repeat: false,
  queue: { kind: 'droptail', bdp: 1 },
  steps: [{ durationMs: 1, downKbps: 20_000, upKbps: null, rttMs: RTT_MS, lossDown: 0, lossUp: 0 }],
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

const played = (folder: string, transport: CompareCell['transport']): Promise<SessionLog> =>
  playLinkedCell(
    folder,
    {
      cell: { id: `told-${transport}`, rule: 'throughput', transport, controller: CONTROLLER, mpd: DEMO_MPD },
      profile,
      seconds: 5,
    },
    async ({ log: own, place }) => {
      const { log, faults } = await joinOrigin(own, place.transportLog);
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
    },
  );

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
