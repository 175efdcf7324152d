import { bulkPath } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread } from '../statistics.ts';
import { nameOf, overLink, type Bottleneck, type Sender } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';
import { formatPercent } from '../../src/shared/format.ts';
import type { Progress } from '../../lab/load/loadProgram.ts';

/** A sender whose flow shares one bottleneck with a flow of the kernel's TCP Cubic (h2). */
interface Arm {
  readonly label: string;
  readonly protocol: 'h2' | 'h3';
  /** Count of connections that our sender emulates; null: the sender is not ours and has no formula. */
  readonly connections: number | null;
}

interface Measured {
  readonly arm: string;
  readonly bottleneck: Bottleneck;
  readonly repeat: number;
  /** Share of the bytes of both bodies that the arm's body has, 0 to 1. */
  readonly share: number;
  /** Share of the bottleneck's rate that the bits of both bodies use. */
  readonly used: number;
  /** Packets that the emulator lost because the machine was busy. */
  readonly busyDrops: number;
}

const ARMS: readonly Arm[] = [
  { label: 'TCP Cubic (control)', protocol: 'h2', connections: null },
  { label: "QUIC, quinn's Cubic", protocol: 'h3', connections: null },
  ...[1, 2, 6].map((connections): Arm => ({
    label: `QUIC cubic-x${connections}`,
    protocol: 'h3',
    connections,
  })),
];
/** Bottleneck on which CUBIC grows as Reno would: 17 packets of pipe and as many of queue. */
const SMALL: Bottleneck = { rateKbps: 10_000, rttMs: 20, loss: 0, queueBdp: 1 };
/** Bottleneck on which CUBIC grows by its own curve: 167 packets of pipe. */
const LARGE: Bottleneck = { rateKbps: 20_000, rttMs: 100, loss: 0, queueBdp: 1 };
/** Time before the measurement, after which slow start and the first losses are over. */
const SKIP_MS = 15_000;
const WINDOW_MS = 60_000;
const REPEATS = 3;

/** Whether N emulated connections take what N would, on a bottleneck where CUBIC grows as Reno or by its own curve (RFC 9438 §4.3). */
export const shareSections: readonly SenderSection[] = [
  shareSection('share-friendly', SMALL, { isTcpPaced: false }),
  shareSection('share-paced', SMALL, { isTcpPaced: true }),
  shareSection('share-cubic', LARGE, { isTcpPaced: false }),
];

/** Makes a section. `isTcpPaced`: the kernel spaces out what the competing flow sends, as QUIC always does. */
function shareSection(
  id: string,
  bottleneck: Bottleneck,
  { isTcpPaced }: { readonly isTcpPaced: boolean },
): SenderSection {
  return {
    id,
    label: `Share of a bottleneck beside one flow of TCP Cubic${isTcpPaced ? ', paced' : ''}: ${nameOf(bottleneck)}`,
    async measure({ quick, say }) {
      const times = quick ? { skipMs: 1000, windowMs: 3000 } : { skipMs: SKIP_MS, windowMs: WINDOW_MS };
      const round = { bottleneck, isTcpPaced, ...times };
      const raw: Measured[] = [];
      for (let repeat = 0; repeat < (quick ? 1 : REPEATS); repeat += 1) {
        say(`repeat ${repeat + 1}`);
        // Each arm has a link of its own, so that all can run at once.
        raw.push(...(await Promise.all(ARMS.map((arm) => measure(arm, { ...round, repeat })))));
      }
      return { text: table(raw), raw };
    },
  };
}

async function measure(
  arm: Arm,
  round: { bottleneck: Bottleneck; isTcpPaced: boolean; repeat: number; skipMs: number; windowMs: number },
): Promise<Measured> {
  const { bottleneck, isTcpPaced, repeat, skipMs, windowMs } = round;
  const sender: Sender = {
    tcpController: 'cubic',
    tcpPacing: isTcpPaced,
    quicController: 'cubic',
    initialWindowPackets: 10,
    ...(arm.connections === null ? {} : { emulatedConnections: arm.connections }),
  };
  return overLink({ ...bottleneck, sender, seed: repeat + 1 }, async ({ load, link }) => {
    const seconds = (skipMs + windowMs + 1000) / 1000;
    const flow = (protocol: 'h2' | 'h3') => load({ protocol, seconds, path: bulkPath('endless.bin') });
    const both = await Promise.all([flow(arm.protocol), flow('h2')]);
    const openAtUnixMs = Math.max(...both.map(({ opened }) => opened[0]?.atUnixMs ?? Infinity));
    const from = openAtUnixMs + skipMs;
    const [own = null, other = null] = both.map(({ progress }) =>
      windowBytes(progress, from, from + windowMs),
    );
    if (own === null || other === null) throw new Error(`${arm.label}: a flow ended too early`);
    const used = ((own + other) * 8) / windowMs / bottleneck.rateKbps;
    return {
      arm: arm.label,
      bottleneck,
      repeat,
      share: own / (own + other),
      used,
      busyDrops: link.busyDrops(),
    };
  });
}

const percent = (share: number): string => formatPercent(share, { decimals: 1 });

function table(all: readonly Measured[]): string {
  const rows = ARMS.map(({ label, connections }) => {
    const mine = all.filter((each) => each.arm === label);
    const theory = connections === null ? null : shareTheory(connections);
    return [
      label,
      spread(
        mine.map(({ share }) => share),
        percent,
      ),
      theory ? percent(theory.wanted) : '',
      theory ? percent(theory.friendlyCommonLoss) : '',
      theory ? percent(theory.cubicEvenLoss) : '',
      theory ? percent(theory.cubicCommonLoss) : '',
      spread(
        mine.map(({ used }) => used),
        percent,
      ),
    ];
  });
  const head = [
    'beside TCP Cubic',
    'share',
    'N/(N+1)',
    'Reno, common',
    'cubic, even',
    'cubic, common',
    'used',
  ];
  return plainTable(head, rows);
}

/**
 * Share of a bottleneck, 0 to 1, that one sender which stands for N (mulTCP on CUBIC: lab/origin/src/congestion/cubic.rs)
 * takes beside one CUBIC flow with the same round trip, by the mean windows of RFC 9438. There are four answers, because
 * theory does not say which of the two regions rules nor whom a full queue hits.
 */
interface ShareTheory {
  /** The wanted share, N/(N + 1). */
  readonly wanted: number;
  /** Reno-friendly region, every packet as likely to be lost as any other: the formula's own design point. */
  readonly friendlyEvenLoss: number;
  /** Reno-friendly region, every overflow of the queue hits both. */
  readonly friendlyCommonLoss: number;
  /** Cubic region, every packet as likely to be lost as any other. */
  readonly cubicEvenLoss: number;
  /** Cubic region, every overflow hits both. */
  readonly cubicCommonLoss: number;
}

const BETA = 0.7;

export function shareTheory(connections: number): ShareTheory {
  const [many, one] = [senderOf(connections), senderOf(1)];
  const share = (meanWindow: (sender: EmulatedSender) => number): number =>
    meanWindow(many) / (meanWindow(many) + meanWindow(one));
  return {
    wanted: connections / (connections + 1),
    friendlyEvenLoss: share(friendlyEvenLoss),
    friendlyCommonLoss: share(friendlyCommonLoss),
    cubicEvenLoss: share(cubicEvenLoss),
    cubicCommonLoss: share(cubicCommonLoss),
  };
}

interface EmulatedSender {
  readonly beta: number;
  readonly alpha: number;
}

function senderOf(connections: number): EmulatedSender {
  const beta = (connections - 1 + BETA) / connections;
  return { beta, alpha: (3 * connections ** 2 * (1 - beta)) / (1 + beta) };
}

/** Additive increase α and decrease β at loss rate p: √(α (1 + β) / (2 (1 − β) p)) (RFC 9438 §4.3, its reference [FHP00]). */
const friendlyEvenLoss = ({ alpha, beta }: EmulatedSender): number =>
  Math.sqrt((alpha * (1 + beta)) / (2 * (1 - beta)));

/** α T packets are won between losses T round trips apart, and (1 − β) of the maximum lost: the mean lies between. */
const friendlyCommonLoss = ({ alpha, beta }: EmulatedSender): number =>
  (alpha * (1 + beta)) / (2 * (1 - beta));

/** RFC 9438 §5.1, figure 5: the fourth root of C (3 + β) / (4 (1 − β)), times what both share. */
const cubicEvenLoss = ({ beta }: EmulatedSender): number => ((3 + beta) / (4 * (1 - beta))) ** 0.25;

/** W_max (1 − β) = C K³ with the same K; the mean of the cubic over [0, K] is W_max − C K³ / 4. */
const cubicCommonLoss = ({ beta }: EmulatedSender): number => 1 / (1 - beta) - 0.25;

/** Counts bytes between two moments, each from the last line before it. null when the lines do not reach that far. */
export function windowBytes(
  progress: readonly Progress[],
  fromUnixMs: number,
  untilUnixMs: number,
): number | null {
  const before = (at: number) => progress.findLast(({ atUnixMs }) => atUnixMs <= at);
  const [first, last, end] = [before(fromUnixMs), before(untilUnixMs), progress.at(-1)];
  if (!first || !last || !end || end.atUnixMs < untilUnixMs) return null;
  return last.bytes - first.bytes;
}
