import { describe, expect, test } from 'vitest';
import { CongestionWindow, type PathNow } from './congestionWindow.ts';
import { only, play, track, through } from './playByHand.testing.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

const PACKET_BITS = 12_000;
/** 100 ms and 1200 kbit/s: ten packets are in flight before any waits in the queue. */
const at = (nowMs: number): PathNow => ({ nowMs, rttMs: 100, rateKbps: 1200 });

/** What may be sent in each of so many rounds that are all used up, in packets. */
function rounds(window: CongestionWindow, count: number): number[] {
  window.wake(at(0), Infinity);
  return Array.from({ length: count }, (_, round) => {
    const packets = window.leftBits / PACKET_BITS;
    window.leftBits = 0;
    window.turn(at(100 * (round + 1)));
    return packets;
  });
}

describe('a window', () => {
  test('doubles, halves when more is in flight than path and queue hold, and grows by a packet a round', () => {
    const window = new CongestionWindow({ initialPackets: 4, queuePackets: 20 }, 'tcp');
    // More than 10 + 20 after the round of 32; half of 30 is left.
    expect(rounds(window, 7)).toEqual([4, 8, 16, 32, 15, 16, 17]);
  });

  test('of QUIC keeps 0.7', () => {
    const window = new CongestionWindow({ initialPackets: 32, queuePackets: 20 }, 'quic');
    expect(rounds(window, 2)[1]).toBeCloseTo(21, 9);
  });

  test('that is let go at once overflows a short queue, unless the sender paces', () => {
    const settings = { initialPackets: 32, queuePackets: 7 };
    expect(rounds(new CongestionWindow(settings, 'tcp'), 3)).toEqual([8, 16, 17]);
    expect(rounds(new CongestionWindow(settings, 'quic'), 1)).toEqual([32]);
    const window = new CongestionWindow(settings, 'tcp');
    window.wake(at(0), 5 * PACKET_BITS);
    expect(window.leftBits / PACKET_BITS).toBe(32);
  });

  test('is halved for each time-out of a pause, down to its first size', () => {
    const after = (pauseMs: number): number => {
      const window = new CongestionWindow({ initialPackets: 4, queuePackets: 100 }, 'tcp');
      rounds(window, 4);
      window.rest(400);
      window.wake(at(400 + pauseMs), Infinity);
      return window.leftBits / PACKET_BITS;
    };
    // 64 packets; the time-out is 100 + 200 ms.
    expect([299, 300, 600, 60_000].map(after)).toEqual([64, 32, 16, 4]);
  });
});

describe('a window beside another connection', () => {
  /** 1200 kbit/s, 100 ms and a queue of 20 hold 30 packets; the other has 25 of them. */
  const beside = (nowMs: number, othersPackets = 25): PathNow => ({
    nowMs,
    rttMs: 100,
    rateKbps: 600,
    shared: { kbps: 1200, othersBits: othersPackets * PACKET_BITS },
  });
  const after = (path: PathNow, dataBits = Infinity): number => {
    const window = new CongestionWindow({ initialPackets: 10, queuePackets: 20 }, 'tcp');
    window.wake(path, dataBits);
    return window.bits / PACKET_BITS;
  };

  test('loses what path and queue have no room for, though it paces and would fit alone', () => {
    expect(after(beside(0))).toBe(5);
    expect(after(beside(0, 20))).toBe(10);
    expect(after(beside(0), 5 * PACKET_BITS)).toBe(10);
    expect(after(at(0))).toBe(10);
  });

  test('loses once for what it began with, and grows only as far as there is room', () => {
    const window = new CongestionWindow({ initialPackets: 10, queuePackets: 20 }, 'tcp');
    window.wake(beside(0, 24), Infinity);
    const packets = [1, 2, 3, 4].map((round) => {
      window.leftBits = 0;
      window.turn(beside(100 * round, 24));
      return window.bits / PACKET_BITS;
    });
    // Half of 10; there is room for 6, and half of that is left of 7.
    expect(packets).toEqual([5, 6, 7, 3]);
  });

  test('may always have one packet on its way', () => expect(after(beside(0, 99), PACKET_BITS)).toBe(10));
});

describe('a round', () => {
  const instrumented = {
    controller: 'reno',
    emulatedConnections: null,
    tcpPacing: true,
    tlsRecords: 'dynamic',
  } as const;
  /** How long the next one takes, after a loss left `packets` or in slow start; one packet needs 10 ms (QUIC's 9.87). */
  const roundMs = (kind: 'tcp' | 'quic', { rttMs = 100, lostBits = 0, isSlowStart = false } = {}): number => {
    const window = new CongestionWindow({ initialPackets: 20, queuePackets: 100, instrumented }, kind);
    const path = { ...at(0), rttMs };
    window.wake(path, Infinity);
    if (!isSlowStart) window.detectLoss(0, path);
    window.turn(path, { lostBits });
    return window.roundEndsMs;
  };

  test('is a round trip and a packet’s time in slow start', () => {
    expect(roundMs('tcp', { isSlowStart: true })).toBeCloseTo(110, 6);
    expect(roundMs('quic', { isSlowStart: true })).toBeCloseTo(100 + 11_840 / 1200, 6);
  });

  test('then waits for the packet that is acknowledged with the first one over TCP', () =>
    expect(roundMs('tcp')).toBeCloseTo(120, 6));

  test('and for ten packets, 25 ms or a quarter of the round trip over QUIC', () => {
    expect(roundMs('quic')).toBeCloseTo(100 + 11_840 / 1200 + 25, 6);
    expect(roundMs('quic', { rttMs: 40 })).toBeCloseTo(40 + 11_840 / 1200 + 10, 6);
    expect(roundMs('quic', { rttMs: 400 })).toBeCloseTo(400 + 11_840 / 1200 + 25, 6);
  });

  test('does not wait while packets are missing: they are reported at once', () => {
    expect(roundMs('tcp', { lostBits: PACKET_BITS })).toBeCloseTo(110, 6);
    expect(roundMs('quic', { lostBits: PACKET_BITS })).toBeCloseTo(100 + 11_840 / 1200, 6);
  });
});

describe('slow start of Cubic', () => {
  const instrumented = { emulatedConnections: null, tcpPacing: true, tlsRecords: 'dynamic' } as const;
  const windows = (controller: 'reno' | 'cubic', kind: 'tcp' | 'quic') =>
    rounds(
      new CongestionWindow(
        { initialPackets: 10, queuePackets: 100, instrumented: { controller, ...instrumented } },
        kind,
      ),
      4,
    ).map((packets) => Math.round(packets * 10) / 10);

  test('of the kernel ends when a queue begins to fill, from 16 packets on; of Reno and of quinn it does not', () => {
    // Ten packets are in flight before any waits, and the kernel's Cubic sees 20 packets wait for 100 ms.
    const [first, second, third] = windows('cubic', 'tcp');
    expect([first, second]).toEqual([10, 20]);
    expect(third).toBeGreaterThan(20);
    expect(third).toBeLessThan(21);
    expect(windows('reno', 'tcp')).toEqual([10, 20, 40, 80]);
    // Ten packets of 1228 bytes.
    expect(windows('cubic', 'quic')[3]).toBeCloseTo((80 * 1228) / 1500, 1);
  });
});

describe('a session with windows', () => {
  const trace = through([[1e9, 12_000]]);
  // 100 packets take 100 ms at 12 Mbit/s; the round-trip time is 100 ms.
  const content = only(
    track({ sizesBytes: [Array<number>(5).fill(150_000), Array<number>(5).fill(150_000)] }),
  );
  const timesOf = (settings: Partial<PlayerModelSettings>): number[] =>
    play(settings, { trace, content }).requests.map(
      ({ firstByteMs, lastByteMs }) => lastByteMs! - firstByteMs!,
    );

  test('sends 10 packets, a round trip later 20, 40, and the rest of 100', () => {
    const sender = { initialPackets: 10, queuePackets: 1000 };
    // A round is a round trip and the 1 ms that a packet needs on this path.
    expect(timesOf({ sender })[0]).toBeCloseTo(3 * (100 + 1) + 30, 6);
    expect(timesOf({})[0]).toBeCloseTo(100, 6);
  });

  test('and the next body has the window that the last one left', () => {
    const sender = { initialPackets: 10, queuePackets: 1000 };
    // The round of 80 was not used up: it is what the next one begins with.
    expect(timesOf({ sender })[1]).toBeCloseTo(100 + 1 + 20, 6);
  });
});
