import { expect, test } from 'vitest';
import { CongestionWindow } from './congestionWindow.ts';
import type { Lane } from './lane.ts';
import { createSharedLink } from './sharedLink.ts';

const trace = (pieces: [endMs: number, rateKbps: number][], startMs = 0) => ({
  name: 'made by hand',
  endMs: Float64Array.from(pieces, ([endMs]) => endMs),
  rateKbps: Float64Array.from(pieces, ([, rateKbps]) => rateKbps),
  rttMs: null,
  startMs,
});

test('two transfers share the rate equally while both run', () => {
  const link = createSharedLink(trace([[1e6, 1000]]));
  const one = link.start(100_000);
  expect(link.nextMs()).toBe(100);
  link.advanceTo(50);
  const other = link.start(100_000);
  // 50,000 bits are left of the first: at half the rate 100 ms
  expect(link.nextMs()).toBe(150);
  link.advanceTo(150);
  expect([link.isDone(one), link.isDone(other)]).toEqual([true, false]);
  link.stop(one);
  expect(link.nextMs()).toBe(200);
});

test('a transfer crosses pieces, waits out a dead one, and the trace begins again at its zero', () => {
  const link = createSharedLink(
    trace(
      [
        [1000, 100],
        [3000, 0],
        [4000, 10],
      ],
      500,
    ),
  );
  // 50,000 bits until 500 ms, none for 2 s, 10,000 in the last piece until 3500, 100,000 in the first one until 4500
  const transfer = link.start(160_000);
  expect(link.nextMs()).toBe(4500);
  link.advanceTo(3500);
  expect(transfer.leftBits).toBeCloseTo(100_000, 6);
  expect(link.nextMs()).toBe(4500);
  link.advanceTo(4500);
  expect(link.isDone(transfer)).toBe(true);
});

test('with nothing on its way there is nothing to wait for', () => {
  const link = createSharedLink(trace([[1000, 100]]));
  expect(link.nextMs()).toBe(Infinity);
  link.advanceTo(123_456);
  link.start(100);
  // 123,456 ms are 456 ms into a pass: the same rate everywhere
  expect(link.nextMs()).toBe(123_457);
});

test('at a Tbit/s a rounded clock does not leave a rest that never comes', () => {
  const link = createSharedLink(trace([[1e6, 1e9]]));
  link.advanceTo(999_999.123);
  const transfer = link.start(8e9 / 3);
  link.advanceTo(link.nextMs());
  expect(link.isDone(transfer)).toBe(true);
});

test('a piece shorter than the rounding of the clock does not stop the clock', () => {
  // On the second pass the second piece is 2e-16 ms long at 1001 ms: it begins and ends at the same number.
  const pieces = trace([
    [1, 100],
    [1 + Number.EPSILON, 100],
    [1000, 100],
  ]);
  // With a limit of UDP a path is looked at again at the end of each piece.
  const link = createSharedLink(pieces, 0, [{ fromMs: 1e6, untilMs: 2e6, kbps: 100 }]);
  const transfer = link.start(200_000);
  let events = 0;
  for (; !link.isDone(transfer) && events < 100; events++) link.advanceTo(link.nextMs());
  expect(events).toBeLessThan(10);
});

test('the round-trip time is that of the piece', () => {
  const rtts = {
    ...trace([
      [1000, 1],
      [2000, 1],
    ]),
    rttMs: Float64Array.of(20, 90),
  };
  const link = createSharedLink(rtts);
  expect(link.rttMs()).toBe(20);
  link.advanceTo(1000);
  expect(link.rttMs()).toBe(90);
  expect(createSharedLink(trace([[1000, 1]])).rttMs()).toBe(null);
});

const lane = (isUdp: boolean): Lane => ({
  inOrder: true,
  isUdp,
  window: null,
  recovery: null,
  transfers: [],
});

test('a limit of UDP acts on UDP alone, and what it leaves goes to the others', () => {
  const udp = [{ fromMs: 100, untilMs: 1100, kbps: 100 }];
  const link = createSharedLink(trace([[1e6, 1000]]), 0, udp);
  const [quic, tcp] = [link.start(1e6, lane(true)), link.start(1e6, lane(false))];
  const leftAt = (atMs: number): number[] => {
    for (let at = link.nextMs(); at < atMs; at = link.nextMs()) link.advanceTo(at);
    link.advanceTo(atMs);
    return [quic.leftBits, tcp.leftBits].map((bits) => Math.round(1e6 - bits));
  };
  expect(leftAt(100)).toEqual([50_000, 50_000]);
  // 25,000 bytes pass at once: 16 packets of 12,000 bits, of which the last one stays. Refilled at 100 kbit/s and used at
  // 500, they last for 180,000 / 400 = 450 ms.
  expect(link.nextMs()).toBeCloseTo(550, 6);
  expect(leftAt(550)).toEqual([275_000, 275_000]);
  // Then 100 and 900 kbit/s for 550 ms, and equal parts again.
  expect(leftAt(1100)).toEqual([330_000, 770_000]);
  expect(leftAt(1200)).toEqual([380_000, 820_000]);
});

test('a limit above an equal part changes nothing, and a block stops UDP until it ends', () => {
  const udp = [
    { fromMs: 0, untilMs: 100, kbps: 600 },
    { fromMs: 100, untilMs: 300, kbps: 0 },
  ];
  const link = createSharedLink(trace([[1e6, 1000]]), 0, udp);
  const [quic, tcp] = [link.start(100_000, lane(true)), link.start(1e6, lane(false))];
  expect(link.nextMs()).toBe(100);
  link.advanceTo(100);
  expect([quic.leftBits, tcp.leftBits]).toEqual([50_000, 950_000]);
  expect([link.isServed(quic), link.isServed(tcp)]).toEqual([false, true]);
  expect(link.nextMs()).toBe(300);
  link.advanceTo(300);
  expect([quic.leftBits, tcp.leftBits]).toEqual([50_000, 750_000]);
  expect(link.isServed(quic)).toBe(true);
  expect(link.nextMs()).toBe(400);
});

test('a connection that fills the queue makes another one lose', () => {
  const sender = { initialPackets: 10, queuePackets: 10 };
  const laneOf = (window: CongestionWindow): Lane => ({
    inOrder: true,
    window,
    recovery: null,
    transfers: [],
  });
  const [large, small] = [sender, sender].map((each) => new CongestionWindow(each, 'tcp'));
  // 1200 kbit/s and 100 ms: ten packets on the way, ten in the queue.
  const link = createSharedLink(trace([[1e6, 1200]]), 100);
  link.start(1e9, laneOf(large!));
  for (let at = link.nextMs(); at < 1000; at = link.nextMs()) link.advanceTo(at);
  const freePackets = 20 - large!.bits / 12_000;
  expect(freePackets).toBeLessThan(10);
  link.start(120_000, laneOf(small!));
  expect(small!.bits / 12_000).toBe(5);

  const alone = new CongestionWindow(sender, 'tcp');
  createSharedLink(trace([[1e6, 1200]]), 100).start(120_000, laneOf(alone));
  expect(alone.bits / 12_000).toBe(10);
});
