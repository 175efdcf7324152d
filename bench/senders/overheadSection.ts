import { setTimeout as pause } from 'node:timers/promises';
import { bulkPath } from '../load/bulkFolder.ts';
import { plainTable } from '../../node/textTable.ts';
import { spread } from '../spread.ts';
import { countedSince, interfaceCounts, type InterfaceCounts } from './interfaceCounts.ts';
import { overLink } from './overLink.ts';
import { h2Packet, h3Packet, overheadOf, paperQuic, paperTcp } from './overheadTheory.ts';
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
        ...{ protocol, loss, bodyBytes: end.bytes },
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
