import { expect, test } from 'vitest';
import { UdpPolicer } from './udpPolicer.ts';

/** 64 kbit/s: ten packets of 12,000 bits pass at once. */
const limited = (fromMs = 0, untilMs: number | null = null) =>
  new UdpPolicer([{ fromMs, untilMs, kbps: 64 }]);

test('the burst passes at once, then the rate of the limit', () => {
  const policer = limited();
  expect(policer.maxKbps).toBe(Infinity);
  // All but the last packet, refilled at 64 kbit/s.
  expect(policer.spentInMs(1064)).toBeCloseTo(108, 9);
  expect(policer.spentInMs(64)).toBe(Infinity);
  policer.advanceTo(108, 108 * 1064);
  expect([policer.maxKbps, policer.spentInMs(1064)]).toEqual([64, Infinity]);
  policer.advanceTo(5000, 4892 * 64);
  expect(policer.maxKbps).toBe(64);
});

test('a pause fills it again, no further than the burst', () => {
  const policer = limited();
  policer.advanceTo(100, 120_000);
  // 6400 bits of 100 ms are left; a second packet is there after 24,000 bits.
  policer.advanceTo(370, 0);
  expect(policer.maxKbps).toBe(64);
  policer.advanceTo(380, 0);
  expect(policer.maxKbps).toBe(Infinity);
  policer.advanceTo(1e6, 0);
  expect(policer.spentInMs(1064)).toBeCloseTo(108, 9);
});

test('each limit begins with a full burst, and nothing passes a block', () => {
  const policer = new UdpPolicer([
    { fromMs: 0, untilMs: 100, kbps: 64 },
    { fromMs: 100, untilMs: 200, kbps: 0 },
    { fromMs: 300, untilMs: null, kbps: 100 },
  ]);
  policer.advanceTo(100, 200_000);
  expect([policer.limit.kbps, policer.maxKbps]).toEqual([0, 0]);
  policer.advanceTo(200, 0);
  expect([policer.limit, policer.maxKbps]).toEqual([
    { kbps: Infinity, burstPackets: Infinity, untilMs: 300 },
    Infinity,
  ]);
  policer.advanceTo(300, 1e9);
  expect(policer.spentInMs(400)).toBeCloseTo(15 * 40, 9);
});
