import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterEach, describe, expect, it, test } from 'vitest';
import type { Profile } from '../../src/network/profile.ts';
import { runInNamespace } from '../namespaces.ts';
import { tools } from '../tools.ts';
import { createLink } from './createLink.ts';
import type { Link } from './link.ts';
import { queuedTransports } from './limitQueue.ts';
import { linkMissing } from './linkMissing.ts';

const root = path.resolve(import.meta.dirname, '../..');
/** In CI nothing is skipped silently: there the missing piece fails in the test itself. */
const missing = existsSync(path.join(root, '.pitwall', 'tools.json')) ? linkMissing(tools()) : 'no set-up';

const always = { fromMs: 0, untilMs: null };
const QUEUE_MS = 600;
const RATES = { kbps: 200, upKbps: 400 };
/** Lower: the burst of a policer is 2 s of its rate, and nft adds another one. */
const POLICED = { kbps: 100, upKbps: 200 };
/** 20 Mbit/s and 30 ms. */
const profile: Profile = {
  id: 'test',
  label: 'Test',
  paper: 'none',
  repeat: false,
  queue: { kind: 'droptail', packets: 50 },
  steps: [{ durationMs: 1000, downKbps: 20_000, upKbps: 20_000, rttMs: 30, lossDown: 0, lossUp: 0 }],
  udp: [{ ...always, ...RATES, queueMs: QUEUE_MS }],
};

test('a queue is made for what a profile queues', () => {
  expect(queuedTransports(profile)).toEqual(['udp']);
  expect(queuedTransports({ tcp: profile.udp!, udp: [{ ...always, kbps: 64 }] })).toEqual(['tcp']);
  expect(queuedTransports({})).toEqual([]);
});

describe.skipIf(missing !== null && process.env['CI'] !== 'true')('a limit on a link', () => {
  let link: Link | null = null;
  afterEach(async () => link?.remove());

  it('queues what it does not let pass, or drops it; in both directions', async () => {
    link = await createLink({ profile, seed: 1 });
    const queued = await probes(link);
    await link.limit('udp', null);
    const free = await probes(link);
    await link.limit('udp', POLICED.kbps, { upKbps: POLICED.upKbps });
    const policed = await probes(link);
    expect(link.udpChanges.map(({ atUnixMs: _, ...limit }) => limit)).toEqual([
      { ...RATES, queueMs: QUEUE_MS },
      { kbps: null },
      POLICED,
    ]);
    for (const [way, kbps] of [
      ['down', RATES.kbps],
      ['up', RATES.upKbps],
    ] as const) {
      // What waits comes later and later, as long as the queue has space; then the rest is lost.
      const held = Math.floor((kbps * QUEUE_MS) / 8 / PROBE_BYTES);
      expect(queued[way].beforeLoss).toBeGreaterThanOrEqual(held);
      expect(queued[way].received).toBeLessThan(PROBES);
      expect(queued[way].kbps / kbps).toBeGreaterThan(0.95);
      expect(queued[way].kbps / kbps).toBeLessThan(1.05);
      expect(queued[way].maxDelayMs).toBeGreaterThan(0.9 * QUEUE_MS);
      expect(queued[way].maxDelayMs).toBeLessThan(QUEUE_MS + 200);
      // A policer loses, too, and delays nothing.
      expect(policed[way].received).toBeLessThan(PROBES);
      expect(policed[way].maxDelayMs).toBeLessThan(200);
      expect(free[way].received).toBe(PROBES);
      expect(free[way].maxDelayMs).toBeLessThan(200);
    }
    // What waits is not in the emulator's own buffer, which would hold up everything else.
    expect(link.busyDrops()).toBe(0);
    await expect(link.limit('tcp', 64, { queueMs: 100 })).rejects.toThrow(
      'the profile of the link queues no tcp',
    );
  });
});

interface Received {
  readonly received: number;
  /** How many came before the first one that was lost. */
  readonly beforeLoss: number;
  readonly maxDelayMs: number;
  /** Between the third and the last one that came, at the IP layer. */
  readonly kbps: number;
}

/** Number and time of sending of a probe, and when it came, in Unix ms: both ends have one clock. */
type Came = readonly [number: number, sentMs: number, cameMs: number];

const PROBES = 150;
const PROBE_BYTES = 1000 + 28;

/** Sends probes at 2 Mbit/s in both directions at once. */
async function probes({ client, server }: Link): Promise<Record<'down' | 'up', Received>> {
  const receivedAt = async (end: Link['client'], other: Link['client']): Promise<Received> => {
    const came = await runInNamespace(end.namespace, process.execPath, '-e', PROBE, other.address);
    return receivedOf(JSON.parse(came) as Came[]);
  };
  const [down, up] = await Promise.all([receivedAt(client, server), receivedAt(server, client)]);
  return { down, up };
}

function receivedOf(came: readonly Came[]): Received {
  const loss = came.findIndex(([number], index) => number !== index);
  // The bucket lets two packets pass at once.
  const [first, last] = [came[2], came.at(-1)];
  if (!first || !last) throw new Error('no probe came');
  return {
    received: came.length,
    beforeLoss: loss < 0 ? came.length : loss,
    maxDelayMs: Math.max(...came.map(([, sentMs, cameMs]) => cameMs - sentMs)),
    kbps: ((came.length - 3) * PROBE_BYTES * 8) / (last[2] - first[2]),
  };
}

/** One end: ready when it has sent all and heard nothing for a while. */
const PROBE = `
const [host] = process.argv.slice(1);
const socket = require('node:dgram').createSocket('udp4');
const came = [];
let lastMs = Infinity;
let sent = 0;
socket.on('message', (probe) => {
  lastMs = performance.now();
  came.push([probe.readUInt32BE(0), probe.readDoubleBE(4), Date.now()]);
});
const send = () => {
  const probe = Buffer.alloc(1000);
  probe.writeUInt32BE(sent, 0);
  probe.writeDoubleBE(Date.now(), 4);
  socket.send(probe, 7001, host);
  sent += 1;
};
socket.bind(7001, () => setTimeout(() => {
  const fromMs = performance.now();
  setInterval(() => {
    while (sent < ${PROBES} && sent * 4 < performance.now() - fromMs) send();
    if (sent < ${PROBES} || performance.now() - lastMs < 500) return;
    console.log(JSON.stringify(came));
    process.exit();
  }, 2);
}, 400));`;
