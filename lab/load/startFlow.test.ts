import { mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { createLink } from '../link/createLink.ts';
import { linkMissing } from '../link/linkMissing.ts';
import { receivedWireBytes } from '../link/receivedWireBytes.ts';
import { startInstrumentedOrigin } from '../origin/startInstrumentedOrigin.ts';
import { ip } from '../namespaces.ts';
import { loadMissing } from './loadProgram.ts';
import { startFlow, type FlowOptions } from './startFlow.ts';

const missing = linkMissing() ?? loadMissing();
const undo: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (let step = undo.pop(); step; step = undo.pop()) await step();
});

const RATE_KBPS = 5000;

describe.skipIf(missing !== null && process.env['CI'] !== 'true')(
  `flows over a link (${missing ?? 'this machine can'})`,
  () => {
    test(
      'are counted as the kernel counts them, and end when they are told to',
      { timeout: 30_000 },
      async () => {
        const place = await makePlace();
        const before = receivedWireBytes(place.namespace)!;
        const fromUnixMs = Date.now();
        const flows = (['h2', 'h3'] as const).map((protocol) => startFlow({ ...place, protocol }));
        undo.push(...flows.map((flow) => () => flow.stop()));
        await pause(3000);
        const pids = await clientsIn(place.namespace);
        expect(pids).toHaveLength(2);
        await Promise.all(flows.map((flow) => flow.stop()));
        const wireBytes = receivedWireBytes(place.namespace)! - before;
        expect(await clientsIn(place.namespace)).toEqual([]);
        const records = flows.map((flow) => flow.record(fromUnixMs));
        for (const { openedAtUnixMs, interruptions, bytesBySecond } of records) {
          expect(openedAtUnixMs).toBeGreaterThan(fromUnixMs);
          expect(interruptions).toEqual([]);
          expect(bytesBySecond.length).toBeGreaterThanOrEqual(3);
        }
        const bytes = records
          .flatMap(({ bytesBySecond }) => bytesBySecond)
          .reduce((sum, each) => sum + each, 0);
        // Headers are 4 to 5 % of the packets; the last quarter of a second, and handshakes, are not in the bodies.
        expect(bytes / wireBytes).toBeGreaterThan(0.75);
        expect(bytes / wireBytes).toBeLessThan(0.97);
      },
    );

    test('try again where nobody answers, and say why', { timeout: 30_000 }, async () => {
      const place = await makePlace();
      const flow = startFlow({ ...place, protocol: 'h2', address: place.address.replace(/\d+$/, '9') });
      undo.push(() => flow.stop());
      const record = () => flow.record(Date.now() - 1000);
      await expect.poll(() => record().interruptions.length, { timeout: 5000 }).toBe(2);
      expect(record()).toMatchObject({
        openedAtUnixMs: null,
        interruptions: [{ why: expect.stringMatching(/refused/i) as string }, {}],
      });
    });
  },
);

/** A link with an origin at its end. */
async function makePlace(): Promise<Omit<FlowOptions, 'protocol'>> {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-flows-'));
  undo.push(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'endless.bin'), '');
  truncateSync(path.join(folder, 'endless.bin'), 1e9);
  const step = { durationMs: 60_000, downKbps: RATE_KBPS, upKbps: null, rttMs: 20, lossDown: 0, lossUp: 0 };
  const link = await createLink({
    profile: {
      id: 'flows',
      label: 'Flows',
      paper: 'none',
      repeat: false,
      queue: { kind: 'droptail', bdp: 1 },
      steps: [step],
    },
    seed: 1,
  });
  undo.push(() => link.remove());
  const { namespace, address } = link.server;
  const at = { namespace, addresses: [address], host: 'flows.test', mounts: { '/bulk': folder } };
  const origin = await startInstrumentedOrigin(at);
  undo.push(() => origin.stop());
  return {
    address: `${address}:${origin.httpsPort}`,
    host: 'flows.test',
    path: '/bulk/endless.bin',
    namespace: link.client.namespace,
    untilUnixMs: Date.now() + 60_000,
  };
}

/** Process ids of clients in a namespace. */
async function clientsIn(namespace: string): Promise<string[]> {
  const pids = (await ip('netns', 'pids', namespace)).split('\n');
  const there = new Set(readdirSync('/proc'));
  return pids.filter(
    (pid) => there.has(pid) && readFileSync(`/proc/${pid}/comm`, 'utf8').startsWith('pitwall-load'),
  );
}
