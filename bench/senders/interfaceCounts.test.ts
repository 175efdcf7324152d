import { expect, test } from 'vitest';
import { countedSince, countsIn } from './interfaceCounts.ts';

const text = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 9999 99 0 0 0 0 0 0 9999 99 0 0 0 0 0 0
  veth: 1514 2 0 0 0 0 0 0 3028 4 0 0 0 0 0 0
  wlan: 10 1 0 0 0 0 0 0 20 1 0 0 0 0 0 0
`;

test('sums all interfaces but the loopback', () =>
  expect(countsIn(text)).toEqual({
    receivedBytes: 1524,
    receivedPackets: 3,
    sentBytes: 3048,
    sentPackets: 5,
  }));

test('counts from a moment on', () =>
  expect(countedSince(countsIn(text), countsIn(text.replace('1514 2', '514 1')))).toMatchObject({
    receivedBytes: 1000,
    receivedPackets: 1,
    sentBytes: 0,
  }));
