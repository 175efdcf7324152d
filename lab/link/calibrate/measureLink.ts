import { readFileSync } from 'node:fs';
import { median } from '../../../src/shared/median.ts';
import type { Link } from '../link.ts';
import type { CalibrationCase, BothWays, Figures } from './calibrationCase.ts';
import { flowBothWays, type Flow, type FlowOptions, type Traffic, startTraffic } from './traffic.ts';
import { arrivalKbps, drainedPackets, lostOf, maxHeldBack, streamKbps } from './measured.ts';

/** How long each part lasts. */
export interface Effort {
  readonly pings: number;
  readonly lossMs: number;
  readonly rateMs: number;
  readonly bursts: number;
  readonly tcpMs: number;
  /** The end of `tcpMs` that counts, when slow start is over. */
  readonly tcpWindowMs: number;
}

/** Takes every figure of one link, one after the other, so that none disturbs another. */
export async function measureLink(link: Link, asked: CalibrationCase, effort: Effort): Promise<Figures> {
  const client = startTraffic(link.client);
  const server = startTraffic(link.server);
  const bench: Bench = { link, asked, client, server, drops: { socket: 0 } };
  try {
    const rttMs = await measureRtt(bench, effort.pings);
    const { loss, heldBack } = await measureLoss(bench, effort.lossMs);
    const udpKbps = await measureUdpRate(bench, effort.rateMs);
    const queuePackets = await measureQueue(bench, effort.bursts);
    const tcpKbps = await measureTcp(bench, effort);
    return {
      rttMs,
      loss,
      heldBack,
      udpKbps,
      queuePackets,
      tcpKbps,
      machineDrops: bench.drops.socket + link.busyDrops(),
    };
  } finally {
    client.stop();
    server.stop();
  }
}

interface Bench {
  readonly link: Link;
  readonly asked: CalibrationCase;
  readonly client: Traffic;
  readonly server: Traffic;
  readonly drops: { socket: number };
}

const FULL_BYTES = 1500;
const PORT = 7000;
const PING_INTERVAL_MS = 25;
/** Rate of slow start's and the queue's filling are over by then. */
const RATE_SKIP_MS = 500;
/** A full queue, and the way. */
const drainMs = ({ queuePackets, rateKbps, rttMs }: CalibrationCase): number =>
  (queuePackets * FULL_BYTES * 8) / rateKbps + rttMs;
const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

async function measureRtt({ client, server, link }: Bench, count: number): Promise<(number | null)[]> {
  await server.echo(PORT);
  return client.ping({ host: link.server.address, port: PORT, count, intervalMs: PING_INTERVAL_MS });
}

/** At 0.6 times the rate nothing waits, so that nothing is lost but at random. Small packets make many trials. */
async function measureLoss(bench: Bench, durationMs: number): Promise<Pick<Figures, 'loss' | 'heldBack'>> {
  const kbps = 0.6 * bench.asked.rateKbps;
  const ipBytes = Math.round(Math.min(FULL_BYTES, Math.max(100, kbps / 8)));
  const count = Math.round((durationMs * kbps) / (ipBytes * 8));
  const flows = await flowOn(bench, { kbps, ipBytes, count });
  const of = ({ sent, arrivals }: Flow) => ({ sent: sent.packets, lost: lostOf(sent, arrivals) });
  const held = ({ sent, arrivals }: Flow) => maxHeldBack(sent, arrivals);
  return {
    loss: { down: of(flows.down), up: of(flows.up) },
    heldBack: { down: held(flows.down), up: held(flows.up) },
  };
}

async function measureUdpRate(bench: Bench, durationMs: number): Promise<Figures['udpKbps']> {
  const kbps = 1.2 * bench.asked.rateKbps;
  const count = Math.round((durationMs * kbps) / (FULL_BYTES * 8));
  const flows = await flowOn(bench, { kbps, ipBytes: FULL_BYTES, count });
  // Lost packets took their time on the link: the loss comes after the rate.
  const of = ({ arrivals }: Flow): number | null => {
    const kbpsArrived = arrivalKbps(arrivals, RATE_SKIP_MS);
    return kbpsArrived === null ? null : kbpsArrived / (1 - bench.asked.loss);
  };
  return { down: of(flows.down), up: of(flows.up) };
}

/** Faster than the link fourfold, long enough to fill the queue twice. */
async function measureQueue(bench: Bench, bursts: number): Promise<Figures['queuePackets']> {
  const { rateKbps, rttMs, queuePackets } = bench.asked;
  const emptyWayMs = rttMs / 2 + (FULL_BYTES * 8) / rateKbps;
  const seen: BothWays<number[]> = { down: [], up: [] };
  for (let burst = 0; burst < bursts; burst += 1) {
    const options = { kbps: 4 * rateKbps, ipBytes: FULL_BYTES, count: 2 * queuePackets + 20 };
    const flows = await flowOn(bench, options);
    for (const way of ['down', 'up'] as const)
      seen[way].push(drainedPackets(flows[way].sent, flows[way].arrivals, emptyWayMs));
  }
  return { down: median(seen.down), up: median(seen.up) };
}

async function flowOn(bench: Bench, options: FlowOptions): Promise<BothWays<Flow>> {
  const { link, asked, client, server } = bench;
  const flows = await flowBothWays({ link, client, server }, options, drainMs(asked));
  bench.drops.socket += flows.down.arrivals.socketDrops + flows.up.arrivals.socketDrops;
  return flows;
}

/** Cubic fills a link without loss; with loss what TCP gets is the controller's matter, and all are measured. */
async function measureTcp(bench: Bench, { tcpMs, tcpWindowMs }: Effort): Promise<Figures['tcpKbps']> {
  const { link, asked, client, server } = bench;
  await server.pour(PORT);
  const there = CONTROLLERS.filter((name) => kernelControllers().includes(name));
  const figures: Record<string, number | null> = {};
  for (const name of asked.loss > 0 ? there : there.slice(0, 1)) {
    await link.useController('server', { name, initialWindowPackets: 10 });
    const drunk = await client.drink({ host: link.server.address, port: PORT, durationMs: tcpMs });
    figures[name] = streamKbps(drunk, tcpWindowMs);
    // What is still in the queue must not meet the next connection.
    await pause(drainMs(asked));
  }
  return figures;
}

/** Reno is in every kernel, the others may be modules. */
const CONTROLLERS = ['cubic', 'reno', 'bbr'];
const kernelControllers = (): string[] =>
  readFileSync('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8').trim().split(' ');
