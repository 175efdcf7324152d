import { median } from '../../../src/shared/median.ts';
import { createLink } from '../createLink.ts';
import {
  codelProfile,
  PACKET_BYTES,
  packetMsOf,
  type CodelCase,
  judgeCodel,
  type CodelFigures,
  type CodelVerdict,
  firstHump,
} from './codelCase.ts';
import { codelQueue } from './codelQueue.ts';
import type { BothWays } from './calibrationCase.ts';
import { flowBothWays, type Flow, startTraffic } from './traffic.ts';
import { waitsOf } from './measured.ts';

export interface CodelCalibrated {
  readonly asked: CodelCase;
  readonly figures: BothWays<CodelFigures>;
  readonly verdicts: BothWays<readonly CodelVerdict[]>;
  /** Packets that the machine lost, not the queues. */
  readonly machineDrops: number;
  /** Measured once more, because the machine itself had lost packets. */
  readonly again: boolean;
}

/**
 * Loads each case's link twice at once: with CoDel, and with a queue of the same length that drops at its tail. Cases run one
 * after the other. @throws Error when a link cannot be made or breaks.
 */
export async function calibrateCodel(
  cases: readonly CodelCase[],
  { seed, onDone }: { seed: number; onDone(): void },
): Promise<CodelCalibrated[]> {
  const results: CodelCalibrated[] = [];
  for (const asked of cases) {
    const first = await measureCase(asked, { seed, again: false });
    const isDisturbed = first.machineDrops > 0 && !isWithin(first);
    results.push(isDisturbed ? await measureCase(asked, { seed: seed + 1, again: true }) : first);
    onDone();
  }
  return results;
}

export const isWithin = ({ verdicts }: Pick<CodelCalibrated, 'verdicts'>): boolean =>
  [...verdicts.down, ...verdicts.up].every(({ within }) => within);

async function measureCase(
  asked: CodelCase,
  { seed, again }: { seed: number; again: boolean },
): Promise<CodelCalibrated> {
  const [codel, tail] = await Promise.all([runLoad(asked, 'codel', seed), runLoad(asked, 'droptail', seed)]);
  const of = (way: 'down' | 'up'): CodelFigures => figuresOf(asked, codel.flows[way], tail.flows[way]);
  const figures = { down: of('down'), up: of('up') };
  return {
    asked,
    figures,
    again,
    verdicts: { down: judgeCodel(asked, figures.down), up: judgeCodel(asked, figures.up) },
    machineDrops: codel.machineDrops + tail.machineDrops,
  };
}

interface Loaded {
  readonly flows: BothWays<Flow>;
  readonly machineDrops: number;
}

async function runLoad(asked: CodelCase, kind: 'droptail' | 'codel', seed: number): Promise<Loaded> {
  const link = await createLink({ profile: codelProfile(asked, kind), seed });
  const [client, server] = [startTraffic(link.client), startTraffic(link.server)];
  const packetMs = packetMsOf(asked);
  const count = Math.round((asked.loadMs * asked.load) / packetMs);
  const flow = { kbps: asked.load * asked.rateKbps, ipBytes: PACKET_BYTES, count };
  const broken = link.failed.then((sentence) => Promise.reject(new Error(sentence)));
  try {
    const drainMs = asked.limitPackets * packetMs + asked.rttMs;
    const flows = await Promise.race([flowBothWays({ link, client, server }, flow, drainMs), broken]);
    const { down, up } = flows;
    const machineDrops = link.busyDrops() + down.arrivals.socketDrops + up.arrivals.socketDrops;
    return { flows, machineDrops };
  } finally {
    client.stop();
    server.stop();
    await link.remove();
  }
}

function figuresOf(asked: CodelCase, codel: Flow, tail: Flow): CodelFigures {
  const packetMs = packetMsOf(asked);
  const emptyWayMs = asked.rttMs / 2 + packetMs;
  const { limitPackets } = asked;
  const waits = ({ sent, arrivals }: Flow): (number | null)[] => waitsOf(sent, arrivals, emptyWayMs);
  // A full queue has been there for a while in the last third of the load.
  const full = waits(tail).slice(-Math.floor(tail.sent.packets / 3));
  return {
    tailWaitMs: median(full.filter((wait) => wait !== null)),
    hump: firstHump(codel.sent.atMs, waits(codel), packetMs),
    expected: firstHump(codel.sent.atMs, codelQueue(codel.sent.atMs, { packetMs, limitPackets }), packetMs),
  };
}
