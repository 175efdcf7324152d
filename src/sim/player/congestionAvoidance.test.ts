import { describe, expect, test } from 'vitest';
import {
  CubicAvoidance,
  emulatingCubic,
  LINUX_CUBIC,
  QUINN_CUBIC,
  renoAvoidance,
} from './congestionAvoidance.ts';

const PACKET_BITS = 12_000;

/** Packets of the window, so long after a loss at 100 packets is known, where every round is used up. */
function grownFor(
  seconds: number,
  rttMs: number,
  cubic = new CubicAvoidance(LINUX_CUBIC, PACKET_BITS),
): number {
  let bits = 100 * cubic.beta * PACKET_BITS;
  cubic.lost(100 * PACKET_BITS, bits, { nowMs: 0, rttMs });
  for (let nowMs = rttMs; nowMs < seconds * 1000; nowMs += rttMs)
    bits = cubic.grown(bits, { nowMs, rttMs }, 1);
  return bits / PACKET_BITS;
}

test('Reno grows by a packet a round, or by the share of it that was acknowledged', () => {
  const reno = renoAvoidance(0.5, PACKET_BITS);
  expect(reno.grown(10 * PACKET_BITS, { nowMs: 0, rttMs: 100 }, 1)).toBe(11 * PACKET_BITS);
  expect(reno.grown(10 * PACKET_BITS, { nowMs: 0, rttMs: 100 }, 0.25)).toBe(10.25 * PACKET_BITS);
});

describe('CUBIC after a loss at 100 packets', () => {
  // RFC 9438 §4.2: W(t) = 0.4 (t − K)³ + 100 with K = ∛((100 − 70) / 0.4) = 4.217 s.
  test('is back after K, and as far as the curve half way and beyond', () => {
    expect(grownFor(0.2 + 4.217, 200)).toBeCloseTo(100, 0);
    expect(Math.abs(grownFor(0.2 + 4.217 / 2, 200) - (100 - 0.4 * 2.109 ** 3))).toBeLessThan(1.5);
    expect(Math.abs(grownFor(0.2 + 7, 200) - (100 + 0.4 * 2.783 ** 3))).toBeLessThan(1.5);
  });

  // RFC 9438 §4.3: α = 3 (1 − 0.7) / (1 + 0.7) = 0.529 packets a round; over short round trips that is ahead of the curve.
  test('grows as Reno would where that is faster', () => {
    expect(Math.abs(grownFor(0.5, 5) - (70 + 0.529 * 99))).toBeLessThan(1);
  });

  test('does not grow with time in which nothing was sent, unless it is quinn’s', () => {
    const grownAfterPause = (kind: typeof LINUX_CUBIC): number => {
      const cubic = new CubicAvoidance(kind, PACKET_BITS);
      cubic.lost(100 * PACKET_BITS, 70 * PACKET_BITS, { nowMs: 0, rttMs: 100 });
      cubic.paused(60_000);
      return cubic.grown(70 * PACKET_BITS, { nowMs: 60_100, rttMs: 100 }, 1) / PACKET_BITS;
    };
    expect(grownAfterPause(LINUX_CUBIC)).toBeLessThan(75);
    expect(grownAfterPause(QUINN_CUBIC)).toBeGreaterThan(100);
  });

  // quinn-proto, congestion/cubic.rs (w_est): by the clock since the loss, whatever was acknowledged.
  test('grows as Reno would by the clock where it is quinn’s', () => {
    for (const share of [0.01, 1]) {
      const cubic = new CubicAvoidance(QUINN_CUBIC, PACKET_BITS);
      cubic.lost(100 * PACKET_BITS, 70 * PACKET_BITS, { nowMs: 0, rttMs: 5 });
      const packets = cubic.grown(70 * PACKET_BITS, { nowMs: 500, rttMs: 5 }, share) / PACKET_BITS;
      expect(Math.abs(packets - (70 + (0.529 * 500) / 5))).toBeLessThan(1);
    }
  });

  test('lowers the maximum after a loss below it', () => {
    const cubic = new CubicAvoidance(LINUX_CUBIC, PACKET_BITS);
    cubic.lost(100 * PACKET_BITS, 70 * PACKET_BITS, { nowMs: 0, rttMs: 100 });
    cubic.lost(80 * PACKET_BITS, 56 * PACKET_BITS, { nowMs: 1000, rttMs: 400 });
    let bits = 56 * PACKET_BITS;
    // The curve is flat at 80 × 1.7 / 2 = 68 packets, ∛((68 − 56) / 0.4) = 3.107 s after the recovery.
    for (let nowMs = 1400; nowMs < 1400 + 3107; nowMs += 400)
      bits = cubic.grown(bits, { nowMs, rttMs: 400 }, 1);
    expect(Math.abs(bits / PACKET_BITS - 68)).toBeLessThan(1);
  });
});

test('one sender of N loses an Nth of what one would, and grows as N', () => {
  // The instrumented origin's congestion/cubic.rs: β = (N − 0.3) / N, α = 3 N² (1 − β) / (1 + β).
  expect(emulatingCubic(1)).toMatchObject({ beta: 0.7, alphaAfter: 1 });
  expect(emulatingCubic(2).beta).toBeCloseTo(0.85, 12);
  expect(emulatingCubic(2).alpha).toBeCloseTo((3 * 4 * 0.15) / 1.85, 12);
});
