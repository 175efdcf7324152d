import { setTimeout as pause } from 'node:timers/promises';
import { bulkPath } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread } from '../statistics.ts';
import { countedSince, interfaceCounts, type InterfaceCounts } from './interfaceCounts.ts';
import { overLink } from './overLink.ts';
import type { SenderSection } from './senderSection.ts';
import { formatPercent } from '../../src/shared/format.ts';

interface Measured {
  readonly protocol: 'h2' | 'h3';
  readonly loss: number;
  readonly bodyBytes: number;
  /** From the handshake's first packet to the last acknowledgement. */
  readonly client: InterfaceCounts;
  readonly server: InterfaceCounts;
  readonly busyDrops: number;
}

const LOSSES = [0, 0.01];
const REPEATS = 5;
const OBJECTS = 10;
/** Until the last acknowledgements and farewells are over. */
const SETTLE_MS = 1000;

/** Bytes on both interfaces against bytes of objects. */
export const overheadSection: SenderSection = {
  id: 'overhead',
  label: `Overhead on the wire: 1 − bodies / bytes of packets with Ethernet headers; ${OBJECTS} objects of 1 MB on one connection, 10 Mbit/s, 40 ms, Cubic`,
  async measure({ quick }) {
    // Each arm has a link of its own, so that all can run at once.
    const arms = LOSSES.flatMap((loss) =>
      (['h2', 'h3'] as const).map((protocol) => measureArm(protocol, loss, quick)),
    );
    const raw = (await Promise.all(arms)).flat();
    return { text: `${table(raw)}\n\n${theoryTable()}`, raw };
  },
};

function measureArm(protocol: 'h2' | 'h3', loss: number, quick: boolean): Promise<Measured[]> {
  const sender = { tcpController: 'cubic', quicController: 'cubic', initialWindowPackets: 10 } as const;
  const place = { rateKbps: 10_000, rttMs: 40, loss, queueBdp: 1, seed: 1, sender };
  return overLink(place, async ({ link, load }) => {
    const measured: Measured[] = [];
    for (let repeat = 0; repeat < (quick ? 1 : REPEATS); repeat += 1) {
      const before = [interfaceCounts(link.client), interfaceCounts(link.server)] as const;
      const { end, failures } = await load({
        protocol,
        seconds: 60,
        requests: quick ? 2 : OBJECTS,
        path: bulkPath('object.bin'),
      });
      if (failures[0]) throw new Error(`An object did not come: ${failures[0].why}`);
      await pause(SETTLE_MS);
      measured.push({
        protocol,
        loss,
        bodyBytes: end.bytes,
        client: countedSince(interfaceCounts(link.client), before[0]),
        server: countedSince(interfaceCounts(link.server), before[1]),
        busyDrops: link.busyDrops(),
      });
    }
    return measured;
  });
}

const percent = (share: number): string => formatPercent(share, { decimals: 2 });

function table(all: readonly Measured[]): string {
  const rows = LOSSES.flatMap((loss) =>
    (['h2', 'h3'] as const).map((protocol) => {
      const mine = all.filter((each) => each.protocol === protocol && each.loss === loss);
      const over = (wireBytes: (each: Measured) => number) =>
        spread(
          mine.map((each) => 1 - each.bodyBytes / wireBytes(each)),
          percent,
        );
      return [
        `${protocol}, loss ${loss * 100} %`,
        over(({ client }) => client.receivedBytes),
        over(({ server }) => server.sentBytes),
        over(({ client }) => client.receivedBytes + client.sentBytes),
        spread(
          mine.map(({ client }) => client.receivedBytes / client.receivedPackets),
          (bytes) => bytes.toFixed(0),
        ),
      ];
    }),
  );
  return plainTable(
    ['', 'came to the client', 'sent by the server', 'both ways at the client', 'bytes a packet'],
    rows,
  );
}

function theoryTable(): string {
  const rows = [
    ['2019 paper, TCP (no TLS, no h2)', overheadOf(paperTcp)],
    ['2019 paper, QUIC (1350 bytes)', overheadOf(paperQuic)],
    ['h2: MSS 1448, TLS records and h2 frames of 16 KiB', overheadOf(h2Packet())],
    ['h3: datagrams of 1452 bytes, connection id of 8', overheadOf(h3Packet())],
    ['h3: the same with an empty connection id (browsers)', overheadOf(h3Packet({ connectionIdBytes: 0 }))],
  ] as const;
  return plainTable(
    ['arithmetic of a full packet', ''],
    rows.map(([label, share]) => [label, percent(share)]),
  );
}

/**
 * What of a full packet is not of the object: eq. 1 of the 2019 study of DASH over QUIC parameters, 1 − payload / bytes on
 * the wire with Ethernet's header. Byte counts of headers, no handshakes, no loss, no acknowledgements.
 */
interface PacketShape {
  /** On the wire: Ethernet 14, IPv4 20, and what follows. */
  readonly wireBytes: number;
  readonly headerBytes: number;
}

export const overheadOf = ({ wireBytes, headerBytes }: PacketShape): number => headerBytes / wireBytes;

const ETHERNET_IP_BYTES = 14 + 20;

/** Table I of the paper. */
export const paperTcp: PacketShape = { wireBytes: 1514, headerBytes: ETHERNET_IP_BYTES + 32 };
export const paperQuic: PacketShape = { wireBytes: 1392, headerBytes: ETHERNET_IP_BYTES + 8 + 22 };

/** A TLS 1.3 record holds 2^14 bytes and adds 5 of header, 1 of type, 16 of tag (RFC 8446 §5.2); an h2 frame adds 9 (RFC 9113 §4.1). */
const TLS_RECORD_BYTES = 2 ** 14;
const TLS_EXTRA_BYTES = 5 + 1 + 16;
const H2_FRAME_BYTES = 2 ** 14;
const H2_EXTRA_BYTES = 9;

/** TCP with time stamps, of Ethernet's 1500 bytes, with the share of TLS and h2 that falls on each. */
export function h2Packet(): PacketShape {
  const streamBytes = 1500 - 20 - 32;
  const inRecords = streamBytes * (TLS_RECORD_BYTES / (TLS_RECORD_BYTES + TLS_EXTRA_BYTES));
  const inFrames = inRecords * (H2_FRAME_BYTES / (H2_FRAME_BYTES + H2_EXTRA_BYTES));
  return { wireBytes: 1514, headerBytes: 1514 - inFrames };
}

/**
 * QUIC with datagrams of so many bytes: 1 of flags, the client's connection id, 2 of packet number, 16 of tag (RFC 9001 §5.3),
 * and 8 of a STREAM frame's type, id, offset and length (RFC 9000 §19.8, offsets up to 2^30).
 */
export function h3Packet({ datagramBytes = 1452, connectionIdBytes = 8 } = {}): PacketShape {
  const headerBytes = ETHERNET_IP_BYTES + 8 + 1 + connectionIdBytes + 2 + 16 + 8;
  return { wireBytes: ETHERNET_IP_BYTES + 8 + datagramBytes, headerBytes };
}
