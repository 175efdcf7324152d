import { bulkPath } from '../load/bulkFolder.ts';
import type { LoadResult } from '../load/runLoad.ts';
import { loadProtocols, type LoadProtocol } from '../../lab/load/loadProgram.ts';
import { plainTable } from '../../node/textTable.ts';
import { median, spread } from '../statistics.ts';
import { overLink } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';

type Program = 'instrumented' | 'caddy';

interface Measured {
  readonly rateKbps: number;
  readonly server: Server;
  readonly protocol: LoadProtocol;
  /** Times from each request to its response headers; `bodyMs` are the times to the first byte of its body. */
  readonly headersMs: readonly number[];
  readonly bodyMs: readonly number[];
  readonly busyDrops: number;
}

interface Server {
  readonly name: string;
  readonly program: Program;
  readonly tlsRecords?: 'dynamic' | '16k';
}

/** Servers that are compared: our origin as it is, our origin as it was, and Caddy. */
const SERVERS: readonly Server[] = [
  { name: 'ours', program: 'instrumented' },
  { name: 'ours, tlsRecords 16k', program: 'instrumented', tlsRecords: '16k' },
  { name: 'Caddy', program: 'caddy' },
];
const RATES_KBPS = [64, 250, 1000, 2500, 5000];
const RTT_MS = 40;
/** Length of the queue, longer than any response: no packet is lost. */
const QUEUE_PACKETS = 64;
const REPEATS = 10;
const LIMIT_S = 200;
/** Extra time that is allowed for the client and the machine. */
const SLACK_MS = 2;
const PACKET_BYTES = 1500;

const packetMs = (rateKbps: number): number => (PACKET_BYTES * 8) / rateKbps;

/** Section that measures whether a response begins at the same moment over each protocol, on an open, idle connection. */
export const firstByteSection: SenderSection = {
  id: 'first-byte',
  label: `Time to the response headers and to the first byte of a body of 40 kB, in ms, over ${RTT_MS} ms without loss`,
  async measure({ quick }) {
    const rates = quick ? RATES_KBPS.filter((rate) => rate >= 1000) : RATES_KBPS;
    const arms = rates.flatMap((rateKbps) => SERVERS.map((server) => ({ rateKbps, server })));
    // Each arm has a link of its own, so that all can run at once.
    const raw = (await Promise.all(arms.map((arm) => measureArm(arm, quick ? 2 : REPEATS)))).flat();
    return { text: `${timesTable(raw, rates)}\n\n${apartTable(raw, rates)}`, raw };
  },
};

type Arm = Pick<Measured, 'rateKbps' | 'server'>;

function measureArm(arm: Arm, repeats: number): Promise<Measured[]> {
  const { rateKbps, server } = arm;
  const sender = {
    ...({ tcpController: 'cubic', quicController: 'cubic', tcpPacing: true } as const),
    initialWindowPackets: 10,
    ...(server.tlsRecords && { tlsRecords: server.tlsRecords }),
  };
  const queueBdp = (QUEUE_PACKETS * packetMs(rateKbps)) / RTT_MS;
  const place = { rateKbps, rttMs: RTT_MS, loss: 0, queueBdp, seed: 1, sender, program: server.program };
  return overLink(place, async ({ load, link }) => {
    const measured: Measured[] = [];
    for (const protocol of loadProtocols) {
      // The first answer also waits for what ends the handshake.
      const asked = { protocol, requests: repeats + 1, seconds: LIMIT_S, path: bulkPath('records.bin') };
      measured.push({
        ...arm,
        protocol,
        ...timesOf(await load(asked), repeats),
        busyDrops: link.busyDrops(),
      });
    }
    return measured;
  });
}

function timesOf({ answers, failures }: LoadResult, repeats: number): Pick<Measured, 'headersMs' | 'bodyMs'> {
  const whole = answers.filter(({ isWhole, request }) => isWhole && request > 0);
  if (whole.length < repeats)
    throw new Error(
      `${whole.length} of ${repeats} responses came within ${LIMIT_S} s: ${failures[0]?.why ?? 'the time was over'}`,
    );
  return {
    headersMs: whole.map(({ askedAtUnixMs, headersAtUnixMs }) => headersAtUnixMs - askedAtUnixMs),
    bodyMs: whole.map(({ askedAtUnixMs, firstBodyAtUnixMs }) => (firstBodyAtUnixMs ?? NaN) - askedAtUnixMs),
  };
}

const ms = (value: number): string => value.toFixed(1);

function timesTable(all: readonly Measured[], rates: readonly number[]): string {
  const rows = rates.flatMap((rateKbps) =>
    SERVERS.flatMap((server) =>
      of(all, { rateKbps, server }).map(({ protocol, headersMs, bodyMs }) => [
        `${rateKbps} kbit/s, ${server.name}, ${protocol}`,
        spread(headersMs, ms),
        spread(bodyMs, ms),
      ]),
    ),
  );
  return plainTable(['', 'headers', 'first byte of the body'], rows);
}

/** Formats how far the medians of the protocols are apart, and whether that is less than a packet takes. */
function apartTable(all: readonly Measured[], rates: readonly number[]): string {
  const rows = rates.flatMap((rateKbps) =>
    SERVERS.map((server) => {
      const arms = of(all, { rateKbps, server });
      const headersMs = apartMs(arms.map((each) => each.headersMs));
      const bodyMs = apartMs(arms.map((each) => each.bodyMs));
      const allowedMs = packetMs(rateKbps) + SLACK_MS;
      const isMet = Math.max(headersMs, bodyMs) <= allowedMs;
      return [
        `${rateKbps} kbit/s, ${server.name}`,
        ...[headersMs, bodyMs, allowedMs].map(ms),
        isMet ? 'within' : 'BEYOND',
      ];
    }),
  );
  return plainTable(
    ['h1, h2 and h3 apart', 'headers', 'first byte', `one packet + ${SLACK_MS} ms`, ''],
    rows,
  );
}

const of = (all: readonly Measured[], { rateKbps, server }: Arm): readonly Measured[] =>
  all.filter((each) => each.rateKbps === rateKbps && each.server === server);

/** Returns the greatest less the least of the arms' medians. */
function apartMs(arms: readonly (readonly number[])[]): number {
  const medians = arms.map(median);
  return Math.max(...medians) - Math.min(...medians);
}
