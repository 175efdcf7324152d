import { bulkPath } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread } from '../spread.ts';
import { nameOf, overLink, type Bottleneck, type Sender } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';
import { shareTheory } from './shareTheory.ts';
import { windowBytes } from './windowBytes.ts';
import { formatPercent } from '../../src/shared/format.ts';

/** One flow of what an arm is called, beside one of the kernel's TCP Cubic (h2), on one bottleneck. */
interface Arm {
  readonly label: string;
  readonly protocol: 'h2' | 'h3';
  /** null: not ours, no formula. */
  readonly connections: number | null;
}

interface Measured {
  readonly arm: string;
  readonly bottleneck: Bottleneck;
  readonly repeat: number;
  /** Of the bytes of both bodies. */
  readonly share: number;
  /** Bits of both bodies against the rate. */
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
/** CUBIC grows there as Reno would: 17 packets of pipe and as many of queue. */
const SMALL: Bottleneck = { rateKbps: 10_000, rttMs: 20, loss: 0, queueBdp: 1 };
/** CUBIC grows there by its own curve: 167 packets of pipe. */
const LARGE: Bottleneck = { rateKbps: 20_000, rttMs: 100, loss: 0, queueBdp: 1 };
/** Slow start and the first losses are over by then. */
const SKIP_MS = 15_000;
const WINDOW_MS = 60_000;
const REPEATS = 3;

/** Whether N emulated connections take what N would, on a bottleneck where CUBIC grows as Reno or by its own curve (RFC 9438 §4.3). */
export const shareSections: readonly SenderSection[] = [
  shareSection('share-friendly', SMALL, { isTcpPaced: false }),
  shareSection('share-paced', SMALL, { isTcpPaced: true }),
  shareSection('share-cubic', LARGE, { isTcpPaced: false }),
];

/** `isTcpPaced`: the kernel spaces out what the competing flow sends, as QUIC always does. */
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

interface Round {
  readonly bottleneck: Bottleneck;
  readonly isTcpPaced: boolean;
  readonly repeat: number;
  readonly skipMs: number;
  readonly windowMs: number;
}

async function measure(arm: Arm, round: Round): Promise<Measured> {
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
