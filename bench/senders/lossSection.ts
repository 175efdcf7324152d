import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import { bulkPath, onLeaving } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { median } from '../statistics.ts';
import { enterNamespace } from '../../lab/namespaces.ts';
import { readTransportLog, type TransportSample } from '../../lab/origin/readTransportLog.ts';
import {
  congestionControllers,
  type CongestionController,
} from '../../lab/origin/startInstrumentedOrigin.ts';
import { countedSince, interfaceCounts } from './interfaceCounts.ts';
import { overLink, type LinkedOrigin } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';
import { ssLoop, ssReadings, type SsReading, againstSs, type Agreement } from './ss.ts';

interface Measured {
  readonly protocol: 'h2' | 'h3';
  readonly controller: CongestionController;
  /** Null for QUIC, of which the kernel knows nothing. */
  readonly agreement: Agreement | null;
  /** Declared lost (QUIC), sent again (TCP), by the origin's own last word. */
  readonly reportedLost: number;
  readonly reportedSent: number | null;
  /** Left the server's interface; did not come to the client's. */
  readonly linkSent: number;
  readonly linkLost: number;
  /** Mean of window / round trip, as reported; what left the server, without headers below the window's bytes. */
  readonly reportedKbps: number;
  readonly sentKbps: number;
  readonly busyDrops: number;
}

/** Below what a window counts: Ethernet, IPv4, TCP with time stamps; Ethernet, IPv4, UDP. */
const HEADER_BYTES = { h2: 14 + 20 + 32, h3: 14 + 20 + 8 };
const SETTLE_MS = 1500;
/** Whole objects, so that nothing is left on its way in the end. Under loss BBR is ten times as fast as the others. */
const OBJECTS: Readonly<Record<CongestionController, number>> = { reno: 5, cubic: 5, bbr: 30 };
const LIMIT_S = 120;

/** Whether window and loss are what others see of the same connection. */
export const lossSection: SenderSection = {
  id: 'loss',
  label: 'Window and loss that the origin tells against ss and the interfaces (20 Mbit/s, 100 ms, 1 % loss)',
  async measure({ quick }) {
    const arms = congestionControllers.flatMap((controller) =>
      (['h2', 'h3'] as const).map((protocol) => ({ controller, protocol })),
    );
    const raw = await Promise.all(arms.map((arm) => measureArm(arm, quick ? 1 : OBJECTS[arm.controller])));
    return { text: `${ssTable(raw)}\n\n${lossTable(raw)}`, raw };
  },
};

type Arm = Pick<Measured, 'protocol' | 'controller'>;

async function measureArm(arm: Arm, requests: number): Promise<Measured> {
  const { controller } = arm;
  const folder = mkdtempSync(join(tmpdir(), 'pitwall-transport-'));
  const transportLogFile = join(folder, 'transport.ndjson');
  const sender = {
    tcpController: controller,
    quicController: controller,
    initialWindowPackets: 10,
    transportLogFile,
  };
  const place = { rateKbps: 20_000, rttMs: 100, loss: 0.01, queueBdp: 1, seed: 1, sender };
  try {
    return await overLink(place, (linked) => measureDownload(linked, arm, { requests, transportLogFile }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function measureDownload(
  { link, load, origin }: LinkedOrigin,
  arm: Arm,
  { requests, transportLogFile }: { requests: number; transportLogFile: string },
): Promise<Measured> {
  const { protocol } = arm;
  const before = [interfaceCounts(link.server), interfaceCounts(link.client)] as const;
  const ss = protocol === 'h2' ? watchSs(link.server.namespace, origin.httpsPort) : null;
  const lastingMs = await downloadMs(load, protocol, requests);
  await pause(SETTLE_MS);
  const readings = ss?.stop() ?? null;
  const sent = countedSince(interfaceCounts(link.server), before[0]);
  const received = countedSince(interfaceCounts(link.client), before[1]);
  const samples = readTransportLog(transportLogFile).filter((each) => each.protocol === protocol);
  const { reportedLost, reportedSent } = lastWord(samples);
  return {
    ...arm,
    agreement: readings && againstSs(samples, readings),
    reportedLost,
    reportedSent,
    linkSent: sent.sentPackets,
    linkLost: sent.sentPackets - received.receivedPackets,
    reportedKbps: mean(samples.filter(({ event }) => event === 'sample').flatMap(windowKbps)),
    sentKbps: ((sent.sentBytes - sent.sentPackets * HEADER_BYTES[protocol]) * 8) / lastingMs,
    busyDrops: link.busyDrops(),
  };
}

function lastWord(samples: readonly TransportSample[]): Pick<Measured, 'reportedLost' | 'reportedSent'> {
  const last = samples.at(-1);
  const reportedLost = last?.lostPackets ?? last?.retransmittedPackets ?? null;
  if (!last || reportedLost === null) throw new Error('The origin reported nothing of its connection');
  return { reportedLost, reportedSent: last.sentPackets };
}

/** From the first request to the last byte. @throws Error when an object did not come whole */
async function downloadMs(
  load: LinkedOrigin['load'],
  protocol: Measured['protocol'],
  requests: number,
): Promise<number> {
  const path = bulkPath('object.bin');
  const { answers } = await load({ protocol, requests, seconds: LIMIT_S, path });
  const [first, last] = [answers[0], answers.at(-1)];
  if (!first || !last?.isWhole || answers.length < requests)
    throw new Error(`${protocol} did not bring ${requests} objects in ${LIMIT_S} s`);
  return last.atUnixMs - first.askedAtUnixMs;
}

const windowKbps = ({ cwndBytes, rttMs }: TransportSample): number[] =>
  cwndBytes === null || rttMs === null ? [] : [(cwndBytes * 8) / rttMs];

/** Asks ss again and again in the server's namespace. */
function watchSs(namespace: string, port: number): { stop(): readonly SsReading[] } {
  const [program, ...args] = enterNamespace(namespace, 'sh', '-c', ssLoop(port));
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  const gone = onLeaving(() => child.kill('SIGKILL'));
  let reported = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (reported += text));
  return {
    stop() {
      child.kill('SIGKILL');
      gone();
      return ssReadings(reported);
    },
  };
}

function ssTable(all: readonly Measured[]): string {
  const rows = all.flatMap(({ controller, agreement }) => {
    if (!agreement) return [];
    const { comparable, sameCwnd, bracketed, retransmittedBetween, rttOff } = agreement;
    return [
      [
        `TCP ${controller}`,
        `${sameCwnd} of ${comparable}`,
        `${retransmittedBetween} of ${bracketed}`,
        rttOff.length > 0 ? `${(median(rttOff) * 100).toFixed(2)} %` : 'none',
      ],
    ];
  });
  return plainTable(['reported against ss', 'same window', 'retransmitted fits', 'rtt off, median'], rows);
}

function lossTable(all: readonly Measured[]): string {
  const rows = all.map((each) => [
    `${each.protocol === 'h2' ? 'TCP' : 'QUIC'} ${each.controller}`,
    String(each.reportedLost),
    String(each.linkLost),
    `${each.reportedSent ?? 'unknown'}`,
    String(each.linkSent),
    `${each.reportedKbps.toFixed(0)}`,
    `${each.sentKbps.toFixed(0)} (${((each.sentKbps / each.reportedKbps - 1) * 100).toFixed(0)} %)`,
  ]);
  const head = [
    '',
    'lost, reported',
    'by interfaces',
    'sent, reported',
    'by interface',
    'cwnd/rtt, kbit/s',
    'sent, kbit/s',
  ];
  return plainTable(head, rows);
}
