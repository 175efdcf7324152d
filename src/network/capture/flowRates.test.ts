import { expect, test } from 'vitest';
import { createFlowRates, MAX_INTERVALS, tracePieces } from './flowRates.ts';
import type { IpPacket } from './ipPacket.ts';

const packet = (source: string, ipBytes: number, changes: Partial<IpPacket> = {}): IpPacket => ({
  source,
  destination: 'viewer',
  protocol: 'udp',
  ports: [443, 5000],
  transport: new DataView(new ArrayBuffer(0)),
  transportBytes: ipBytes - 20,
  ipBytes,
  seenOn: '0 ',
  copyHash: null,
  ...changes,
});

test('who sent most to whom comes first; all its flows are one', () => {
  const rates = createFlowRates(100);
  rates.add(1000, packet('a', 500));
  rates.add(1099, packet('a', 700, { protocol: 'tcp' }));
  rates.add(1350, packet('a', 40, { protocol: 'other', ports: null }));
  rates.add(1360, packet('b', 900));
  rates.add(1370, packet('a', 100, { destination: 'somebody' }));
  const [first, second, third] = rates.senders();
  expect({ ...first, bytesByInterval: first!.bytesByInterval() }).toEqual({
    name: 'a to viewer',
    packets: 3,
    ipBytes: 1240,
    tcpBytes: 700,
    udpBytes: 500,
    flows: 2,
    firstUnixMs: 1000,
    lastUnixMs: 1350,
    repeatedPackets: 0,
    bytesByInterval: [1200, 0, 0, 40],
    copiedPackets: 0,
  });
  expect([second!.name, third!.name]).toEqual(['b to viewer', 'a to somebody']);
});

test('addresses that are asked for are one sender, whoever receives', () => {
  const rates = createFlowRates(100, ['a', 'b']);
  rates.add(1000, packet('a', 500));
  rates.add(1000, packet('c', 9999));
  rates.add(1100, packet('b', 300, { destination: 'somebody' }));
  const [sender, ...others] = rates.senders();
  expect([sender, others]).toMatchObject([{ name: 'a, b', flows: 2 }, []]);
  expect(sender!.bytesByInterval()).toEqual([500, 300]);
});

test('a packet that is older than the first counts in the first interval', () => {
  const rates = createFlowRates(100);
  rates.add(1000, packet('a', 1));
  rates.add(998, packet('a', 2));
  const [sender] = rates.senders();
  expect([sender!.bytesByInterval(), sender!.lastUnixMs]).toEqual([[3], 1000]);
});

test('a flow that several interfaces see counts once; flows on different ones all count', () => {
  const rates = createFlowRates(100);
  for (const atUnixMs of [1000, 1010, 1150, 1250]) {
    rates.add(atUnixMs, packet('a', 500, { seenOn: '3' }));
    rates.add(atUnixMs + 0.03, packet('a', 500, { seenOn: '7' }));
  }
  // What one interface lost another has.
  rates.add(1251, packet('a', 500, { seenOn: '7' }));
  rates.add(1260, packet('a', 70, { seenOn: '9', ports: [443, 5001] }));
  const [sender, ...others] = rates.senders();
  expect(others).toEqual([]);
  expect(sender).toMatchObject({ packets: 6, repeatedPackets: 4, ipBytes: 2570, udpBytes: 2570, flows: 2 });
  expect(sender!.bytesByInterval()).toEqual([1000, 500, 1070]);
});

test('a packet that one interface sees again soon is a copy, on whichever interface', () => {
  const rates = createFlowRates(100);
  for (let place = 0; place < 10; place += 1)
    for (const [lateMs, seenOn] of [
      [0, '3'],
      [0.2, '3'],
      [0.3, '7'],
      [19, '3'],
    ] as const)
      rates.add(1000 + 30 * place + lateMs, packet('a', 500, { seenOn, copyHash: place }));
  const [sender] = rates.senders();
  expect(sender).toMatchObject({ packets: 10, ipBytes: 5000, copiedPackets: 20, repeatedPackets: 10 });
  expect(sender!.bytesByInterval()).toEqual([2000, 1500, 1500]);
});

test('what comes again later, of another flow or for ever is no copy', () => {
  const rates = createFlowRates(1000);
  rates.add(1000, packet('a', 500, { copyHash: 1 }));
  rates.add(1021, packet('a', 500, { copyHash: 1 }));
  rates.add(1022, packet('a', 500, { copyHash: 1, ports: [443, 5001] }));
  // Nobody can say which packets of a flow are copies if all are alike.
  for (let place = 0; place < 5; place += 1)
    rates.add(1030 + place, packet('a', 100, { copyHash: 2, ports: [443, 5002] }));
  expect(rates.senders()).toMatchObject([{ packets: 8, ipBytes: 2000, copiedPackets: 0, flows: 3 }]);
});

test('says how far the time of a packet goes back between the same addresses, on the same interface', () => {
  const rates = createFlowRates(100);
  const ages = [
    rates.add(1000, packet('a', 1)),
    rates.add(6000, packet('a', 1)),
    rates.add(5500, packet('a', 1)),
    rates.add(5900, packet('a', 1, { ports: [443, 5001] })),
    rates.add(2000, packet('a', 1, { seenOn: '7' })),
    rates.add(500, packet('b', 1)),
  ];
  expect(ages).toEqual([0, 0, 500, 100, 0, 0]);
});

test('many senders over a long time need no memory for what is not asked for', () => {
  const rates = createFlowRates(500);
  for (const atUnixMs of [0, 499_999_000])
    for (let place = 0; place < 50; place += 1) rates.add(atUnixMs, packet(`a${place}`, 1500));
  const heapBytes = (): number => process.memoryUsage().heapUsed;
  const before = heapBytes();
  expect(rates.senders()).toHaveLength(50);
  expect(heapBytes() - before).toBeLessThan(50e6);
});

test('a clock that jumps by years is no reason for a trace of years', () => {
  const rates = createFlowRates(100);
  rates.add(0, packet('a', 1));
  expect(() => rates.add(100 * MAX_INTERVALS, packet('a', 1))).toThrow(RangeError);
});

const piecesOf = (bytesByInterval: readonly number[], idle: 'zero' | 'hold', rttMs: number | null = null) =>
  tracePieces(bytesByInterval, { intervalMs: 500, idle, rttMs }).map(({ rateKbps }) => rateKbps);

test('rates are kbit/s of whole intervals; one in which nothing came is 0, or as the one before', () => {
  // 62,500 bytes in half a second are 1 Mbit/s.
  expect(piecesOf([62_500, 0, 125_000, 99], 'zero')).toEqual([1000, 0, 2000]);
  expect(piecesOf([62_500, 0, 0, 125_000, 99], 'hold')).toEqual([1000, 1000, 1000, 2000]);
  expect(piecesOf([62_500], 'zero')).toEqual([1000]);
  expect(tracePieces([1], { intervalMs: 500, idle: 'zero', rttMs: 40 })).toEqual([
    { durationMs: 500, rateKbps: 0.016, rttMs: 40 },
  ]);
});
