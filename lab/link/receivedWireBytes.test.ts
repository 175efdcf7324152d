import { expect, test } from 'vitest';
import { receivedIn, receivedWireBytes } from './receivedWireBytes.ts';

const HEAD = `Inter-|   Receive                                                |  Transmit
 face |bytes    packets errs drop fifo frame compressed multicast|bytes    packets errs drop fifo colls carrier compressed
    lo: 5000000    4000    0    0    0     0          0         0  5000000    4000    0    0    0     0       0          0
`;

test('the bytes of all interfaces but the loopback', () =>
  expect(
    receivedIn(
      `${HEAD}  eth0: 1514 1 0 0 0 0 0 0 66 1 0 0 0 0 0 0\nvc0-a:86 1 0 0 0 0 0 0 0 0 0 0 0 0 0 0\n`,
    ),
  ).toBe(1600));

test('but not what a limit has queued: that came over the link before', () =>
  expect(
    receivedIn(
      `${HEAD} vc0-a: 1514 1 0 0 0 0 0 0 66 1 0 0 0 0 0 0\nudp-queue: 0 0 0\nudp-queued: 1514 1 0\n`,
    ),
  ).toBe(1514));

test('with the loopback alone nothing came from anywhere', () => expect(receivedIn(HEAD)).toBeNull());

test('a namespace that is gone tells nothing', () =>
  expect(receivedWireBytes('pitwall-was-never-there')).toBeNull());
