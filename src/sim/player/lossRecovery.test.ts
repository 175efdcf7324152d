import { describe, expect, test } from 'vitest';
import { CongestionWindow, type SenderSettings, type TransportKind } from './congestionWindow.ts';
import { isDone, type Lane, type Transfer } from './lane.ts';
import { LossRecovery, timerMs } from './lossRecovery.ts';
import { meanWindowOfPackets } from './packetSender.testing.ts';
import { createSharedLink } from './sharedLink.ts';
import { seededRandom } from '../../shared/random.ts';

const PACKET_BITS = 12_000;
const RTT_MS = 100;

/** At 12 Mbit/s a packet takes 1 ms. */
const pathOf = (lossShare: number, rateKbps = 12_000) => ({
  name: 'made by hand',
  endMs: Float64Array.of(1e9),
  rateKbps: Float64Array.of(rateKbps),
  rttMs: Float64Array.of(RTT_MS),
  lossDown: Float64Array.of(lossShare),
  startMs: 0,
});

/** Draws that make just these packets of a connection lost, counted from 1 with those that are sent again, at a loss of 50 %. */
function losing(...packets: number[]): () => number {
  const gaps = packets.map((packet, index) => packet - (packets[index - 1] ?? 0));
  return () => 1 - 0.5 ** ((gaps.shift() ?? 50) - 1);
}

function laneOf(kind: TransportKind, random: () => number, sender: Partial<SenderSettings> = {}): Lane {
  const window = new CongestionWindow(
    { initialPackets: 32, queuePackets: 1000, lossSeed: 1, ...sender },
    kind,
  );
  const recovery = new LossRecovery(random, { kind, packetBits: window.packetBits });
  return { inOrder: kind === 'tcp', window, recovery, transfers: [] };
}

/** Carries bodies of so many packets that all begin at 0; when each is complete. */
function endsOf(lane: Lane, packets: readonly number[]): number[] {
  const link = createSharedLink(pathOf(0.5));
  const transfers = packets.map((count) => link.start(count * PACKET_BITS, lane));
  const ends = new Map<Transfer, number>();
  for (let atMs = 0; ends.size < transfers.length; atMs = link.nextMs()) {
    link.advanceTo(atMs);
    for (const each of transfers.filter((transfer) => !ends.has(transfer) && link.isDone(transfer))) {
      ends.set(each, Math.round(atMs * 1000) / 1000);
      link.stop(each);
    }
  }
  return transfers.map((transfer) => ends.get(transfer)!);
}

describe('a lost packet', () => {
  test.each<[string, TransportKind, number[], number]>([
    // The sixth packet is the third after it, at 6 ms; it comes again a round trip later, in 1 ms.
    ['comes again a round trip after the third later packet', 'tcp', [3], 6 + 100 + 1],
    ['over QUIC too', 'quic', [3], 6 + 100 + 1],
    ['with fewer behind it waits for a quarter more', 'tcp', [7], 7 + 125 + 1],
    ['over QUIC for an eighth', 'quic', [7], 7 + 112.5 + 1],
    // The last acknowledgement comes at 7 + 100 ms; the probe after min(2 × 100, 100 + 200) more.
    ['at the tail waits for the probe', 'tcp', [8], 107 + 200 + 1],
    ['over QUIC for the probe of RFC 9002, from when it was sent', 'quic', [8], 8 + 126 + 1],
    ['that is lost again at the tail waits for the time-out', 'tcp', [8, 9], 308 + 300 + 1],
    ['over QUIC for twice the probe', 'quic', [8, 9], 135 + 252 + 1],
    ['among several of a window comes again with them, in one round', 'tcp', [1, 2, 3, 4], 7 + 100 + 4],
    // The probe at 202 ms is told of, and tells of the first packet.
    [
      'of a window that is lost whole waits for the probe',
      'tcp',
      [1, 2, 3, 4, 5, 6, 7, 8],
      201 + 1 + 100 + 7,
    ],
  ])('%s', (_, kind, lost, endMs) => {
    expect(endsOf(laneOf(kind, losing(...lost)), [8])).toEqual([endMs]);
  });

  test('over TCP holds up the bodies behind it, over QUIC its own only', () => {
    // The sixth of sixteen packets is lost, told of at 9 ms.
    expect(endsOf(laneOf('tcp', losing(6)), [8, 8])).toEqual([110, 110]);
    // Over QUIC the bodies take turns; one lacks a packet, the other ends when all is sent.
    const ends = endsOf(laneOf('quic', losing(6)), [8, 8]).sort((one, other) => one - other);
    expect(ends).toEqual([16, 110]);
  });

  test('leaves nothing of a body behind but a rounding, which does not keep it from its end', () => {
    const lane = laneOf('quic', () => 0.5);
    const body: Transfer = { bits: 24926.315789473683, leftBits: 0, lostBits: 0, lane };
    const stretch = { fromMs: 0, untilMs: 1, rttMs: RTT_MS };
    // The clock is rounded, so a first packet can lack some 1e-12 of a bit.
    for (const sentBits of [PACKET_BITS - 2 ** -39, 2 * PACKET_BITS - 2 ** -39]) {
      body.leftBits = body.bits - sentBits;
      lane.recovery!.lose(body, stretch);
    }
    // The first time-out puts the second one off.
    for (const nowMs of [1e6, 1e9]) lane.recovery!.takeDue({ nowMs, rttMs: RTT_MS });
    body.leftBits = 0;
    expect(body.lostBits).not.toBe(0);
    expect(isDone(body, 1e-3)).toBe(true);
  });

  test('that lowers the window does so once a round', () => {
    const lane = laneOf('tcp', losing(3, 5));
    endsOf(lane, [20]);
    lane.window!.wake({ nowMs: 1000, rttMs: 1e6, rateKbps: 1200 }, Infinity);
    expect(lane.window!.leftBits / PACKET_BITS).toBe(16);
  });

  test('after a time-out takes the window to one packet, and slow start goes to half of it', () => {
    const windowAfter = (...lost: number[]): number => {
      const lane = laneOf('tcp', losing(...lost));
      const [endMs] = endsOf(lane, [8]);
      lane.window!.wake({ nowMs: endMs! + 100, rttMs: 100, rateKbps: 1200 }, Infinity);
      return lane.window!.leftBits / PACKET_BITS;
    };
    expect(windowAfter(8)).toBe(16);
    expect(windowAfter(8, 9)).toBe(1);
  });
});

test('timers double, up to two minutes', () => {
  expect([0, 1, 2, 3].map((fired) => timerMs('tcp', 100, fired))).toEqual([200, 300, 600, 1200]);
  expect([0, 1, 2].map((fired) => timerMs('quic', 100, fired))).toEqual([126, 252, 504]);
  expect(timerMs('tcp', 1000, 0)).toBe(1200);
  expect(timerMs('tcp', 100, 20)).toBe(120_000);
});

test('bursts are as long and as frequent as in Gilbert’s model', () => {
  const [p, r] = [0.01, 0.3];
  const recovery = new LossRecovery(seededRandom(5), { kind: 'quic', packetBits: PACKET_BITS });
  const body = { bits: 1e15, leftBits: 1e15, lostBits: 0 };
  const stretch = { fromMs: 0, untilMs: 0, rttMs: RTT_MS };
  let [packets, lost, bursts] = [0, 0, 0];
  while (lost < 40_000) {
    const gap = recovery.untilLossBits({ first: p, again: 1 - r }) / PACKET_BITS;
    [packets, lost, bursts] = [packets + gap, lost + 1, bursts + (gap > 1 ? 1 : 0)];
    body.leftBits -= gap * PACKET_BITS;
    recovery.served(gap * PACKET_BITS, stretch);
    recovery.lose(body, stretch);
    recovery.drop(body);
  }
  // Four standard errors are less than 4 %.
  expect(Math.abs(lost / packets / (p / (p + r)) - 1)).toBeLessThan(0.04);
  expect(Math.abs(lost / bursts / (1 / r) - 1)).toBeLessThan(0.04);
});

describe('long downloads', () => {
  interface Path {
    readonly controller: 'reno' | 'cubic';
    /** Without bursts. In bursts: the probability after a packet that was not lost. */
    readonly lossShare: number;
    /** After one that was. */
    readonly lossAgain?: number;
    readonly rttMs: number;
  }
  interface Sender {
    readonly kind: TransportKind;
    readonly emulatedConnections: number | null;
  }
  const ROUNDS = 8000;

  /** Mean window in packets over a path that is never the bottleneck, of a sender that always has something to send. */
  function meanWindow(
    { controller, lossShare, lossAgain, rttMs }: Path,
    { kind, emulatedConnections }: Sender = { kind: 'tcp', emulatedConnections: null },
  ): number {
    const share = lossAgain === undefined ? lossShare : lossShare / (lossShare + 1 - lossAgain);
    const trace = {
      ...pathOf(share, 1e7),
      rttMs: Float64Array.of(rttMs),
      ...(lossAgain !== undefined && { againDown: Float64Array.of(lossAgain) }),
    };
    const link = createSharedLink(trace);
    const instrumented = {
      controller,
      emulatedConnections,
      tcpPacing: false,
      tlsRecords: 'dynamic',
    } as const;
    const lane = laneOf(kind, seededRandom(1), { initialPackets: 10, queuePackets: 1e9, instrumented });
    const transfer = link.start(1e15, lane);
    while (link.nextMs() < ROUNDS * rttMs) link.advanceTo(link.nextMs());
    const arrivedBits = transfer.bits - transfer.leftBits - transfer.lostBits;
    return arrivedBits / PACKET_BITS / ROUNDS / (1 - share);
  }

  // Mathis et al. 1997, for losses at equal distances; with independent ones it is a little more.
  test.each([0.001, 0.01, 0.05])('with Reno have 1.22 ÷ √%f packets in flight, within 10 %%', (lossShare) => {
    const ratio = meanWindow({ controller: 'reno', lossShare, rttMs: 100 }) / (1.22 / Math.sqrt(lossShare));
    expect(Math.abs(ratio - 1)).toBeLessThan(0.1);
  });

  // RFC 9438 §5.1, for losses at equal distances, where Cubic is not as Reno.
  test.each([
    [0.001, 1],
    [0.01, 1],
  ])(
    'with Cubic have 1.054 (RTT ÷ p)^¾ packets in flight, within 30 %% (p = %f, %d s)',
    (lossShare, seconds) => {
      const ratio =
        meanWindow({ controller: 'cubic', lossShare, rttMs: seconds * 1000 }) /
        (1.054 * (seconds / lossShare) ** 0.75);
      expect(Math.abs(ratio - 1)).toBeLessThan(0.3);
    },
  );

  // mulTCP: of N connections one loses, and all grow.
  test('with Cubic for two connections have twice as many, within 20 %', () => {
    const path = { controller: 'cubic', lossShare: 0.001, rttMs: 10 } as const;
    const [two, one] = [2, null].map((emulatedConnections) =>
      meanWindow(path, { kind: 'quic', emulatedConnections }),
    );
    expect(Math.abs(two! / one! - 2)).toBeLessThan(0.4);
  });

  const path = (controller: Path['controller'], rttMs: number, lossShare: number): Path => ({
    controller,
    rttMs,
    lossShare,
  });
  test.each([
    ...[0.001, 0.01, 0.05].map((lossShare) => path('reno', 100, lossShare)),
    ...[0.001, 0.01, 0.05].map((lossShare) => path('cubic', 100, lossShare)),
    ...[0.01, 0.05].map((lossShare) => path('cubic', 1000, lossShare)),
    // In longer bursts time-outs are lost again and again; the doubling of the timer, which the packets here lack, then decides.
    ...[0.3, 0.5].map((lossAgain) => ({ ...path('reno', 100, 0.005), lossAgain })),
    ...[0.3, 0.5].map((lossAgain) => ({ ...path('cubic', 100, 0.005), lossAgain })),
  ])('$controller, $rttMs ms, p = $lossShare, $lossAgain: as packet by packet, within 20 %', (each) => {
    const packets = meanWindowOfPackets({ ...each, random: seededRandom(2) }, ROUNDS);
    const ratio = meanWindow(each) / packets;

    expect(Math.abs(ratio - 1)).toBeLessThan(0.2);
  });
});
