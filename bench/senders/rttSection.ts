import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { bulkPath } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { median } from '../statistics.ts';
import { startTraffic } from '../../lab/link/calibrate/traffic.ts';
import { readTransportLog } from '../../lab/origin/readTransportLog.ts';
import { overLink, type LinkedOrigin } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';

type Protocol = 'h2' | 'h3';

interface Measured {
  readonly rttMs: number;
  readonly protocol: Protocol;
  /** Round trips in ms without a download: `min` and `smoothed` are in the Server-Timing of the last of many small objects. */
  readonly idle: { readonly min: number; readonly smoothed: number; readonly pinged: number };
  /** Round trips in ms while a download keeps the queue busy: medians over one span of time. */
  readonly loaded: { readonly smoothed: number; readonly pinged: number };
  readonly busyDrops: number;
}

const RTTS_MS = [20, 100, 200];
const ECHO_PORT = 7000;
const PING_EVERY_MS = 25;
/** Time for small objects one after the other: tens of round trips, after which the first ones count no more. */
const IDLE_S = 8;

/** Section that compares the round trips in Server-Timing with those of the link, which our own packets measure beside. */
export const rttSection: SenderSection = {
  id: 'rtt',
  label:
    'Round trips that the origin tells against those of UDP packets on the same link (20 Mbit/s, queue 1 BDP, no loss)',
  async measure({ quick }) {
    const arms = RTTS_MS.flatMap((rttMs) => (['h2', 'h3'] as const).map((protocol) => ({ rttMs, protocol })));
    const raw = await Promise.all(arms.map((arm) => measureArm(arm, quick)));
    return { text: table(raw), raw };
  },
};

async function measureArm(arm: Pick<Measured, 'rttMs' | 'protocol'>, quick: boolean): Promise<Measured> {
  const { rttMs, protocol } = arm;
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-transport-'));
  const transportLogFile = path.join(folder, 'transport.ndjson');
  const sender = {
    ...({ tcpController: 'cubic', quicController: 'cubic' } as const),
    initialWindowPackets: 10,
    transportLogFile,
  };
  const place = { rateKbps: 20_000, rttMs, loss: 0, queueBdp: 1, seed: 1, sender };
  try {
    return await overLink(place, async (linked) => {
      const pings = pinging(linked);
      try {
        const idle = await measureIdle(linked, protocol, pings);
        const loaded = await measureLoaded(linked, { protocol, pings, quick, transportLogFile });
        return { ...arm, idle, loaded, busyDrops: linked.link.busyDrops() };
      } finally {
        pings.stop();
      }
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface Pings {
  /** Resolves to the median of `count` round trips, in ms. */
  median(count: number): Promise<number>;
  stop(): void;
}

function pinging({ link }: LinkedOrigin): Pings {
  const [client, server] = [startTraffic(link.client), startTraffic(link.server)];
  const echoing = server.echo(ECHO_PORT);
  return {
    async median(count) {
      await echoing;
      const target = { host: link.server.address, port: ECHO_PORT, count, intervalMs: PING_EVERY_MS };
      return median((await client.ping(target)).filter((each) => each !== null));
    },
    stop() {
      client.stop();
      server.stop();
    },
  };
}

async function measureIdle(
  { load }: LinkedOrigin,
  protocol: Protocol,
  pings: Pings,
): Promise<Measured['idle']> {
  const { answers } = await load({ protocol, seconds: IDLE_S, path: bulkPath('small.bin') });
  const header = answers.findLast(({ isWhole }) => isWhole)?.serverTiming ?? null;
  const [min, smoothed] = [serverTimingMs(header, 'min-rtt'), serverTimingMs(header, 'rtt')];
  if (min === null || smoothed === null) throw new Error(`Server-Timing tells no round trip: ${header}`);
  return { min, smoothed, pinged: await pings.median(40) };
}

async function measureLoaded(
  { load }: LinkedOrigin,
  {
    protocol,
    pings,
    quick,
    transportLogFile,
  }: { protocol: Protocol; pings: Pings; quick: boolean; transportLogFile: string },
): Promise<Measured['loaded']> {
  const [settleMs, lastingMs] = quick ? [1000, 2000] : [8000, 12_000];
  const seconds = (settleMs + lastingMs + 3000) / 1000;
  const loading = load({ protocol, seconds, path: bulkPath('endless.bin') });
  await pause(settleMs);
  const from = Date.now();
  const pinged = await pings.median(lastingMs / PING_EVERY_MS);
  const until = Date.now();
  await loading;
  const reported = readTransportLog(transportLogFile)
    .filter(({ atUnixMs, event }) => event === 'sample' && atUnixMs >= from && atUnixMs <= until)
    .flatMap(({ rttMs }) => (rttMs === null ? [] : [rttMs]));
  return { smoothed: median(reported), pinged };
}

const ms = (value: number): string => value.toFixed(1);
const off = (reported: number, pinged: number): string =>
  `${ms(reported)} (${reported >= pinged ? '+' : ''}${ms(reported - pinged)})`;

function table(all: readonly Measured[]): string {
  const rows = all.map(({ rttMs, protocol, idle, loaded }) => [
    `${rttMs} ms, ${protocol}`,
    ms(idle.pinged),
    off(idle.min, idle.pinged),
    off(idle.smoothed, idle.pinged),
    ms(loaded.pinged),
    off(loaded.smoothed, loaded.pinged),
  ]);
  const head = ['link', 'pinged, idle', 'min-rtt reported', 'rtt reported', 'pinged, loaded', 'rtt reported'];
  return plainTable(head, rows);
}

/** Reads `name;dur=…` of a Server-Timing header, in ms; null where it is absent. */
export function serverTimingMs(header: string | null, name: string): number | null {
  const part = header?.split(',').find((each) => each.trim().startsWith(`${name};`));
  const [, ms] = /;dur=([\d.]+)/.exec(part ?? '') ?? [];
  return ms === undefined ? null : Number(ms);
}
