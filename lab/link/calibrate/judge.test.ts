import { describe, expect, it } from 'vitest';
import { calibrationCase, type Figures } from './calibrationCase.ts';
import { judge, binomialP } from './judge.ts';

const asked = calibrationCase(5000, 100, 0);
const lossy = calibrationCase(5000, 100, 0.01);
const both = <T>(value: T) => ({ down: value, up: value });
const good: Figures = {
  rttMs: [100.4, null, 101, 100.9],
  loss: both({ sent: 10_000, lost: 0 }),
  udpKbps: both(4990),
  queuePackets: both(83),
  tcpKbps: { cubic: 5010 },
  machineDrops: 0,
  heldBack: { down: 1, up: 1 },
};

/** The quantities that are outside, with their direction. */
const outside = (changes: Partial<Figures>, of = asked): string[] =>
  judge(of, { ...good, ...changes }, 0.01 / 24)
    .filter(({ within }) => !within)
    .map(({ quantity, direction }) => `${quantity} ${direction}`);

describe('judge', () => {
  it('takes what is as asked', () => expect(outside({})).toEqual([]));

  it.each([
    ['a rate 3.1 % too low', { udpKbps: { down: 4845, up: 4990 } }, ['udp-rate down']],
    ['a rate 3.1 % too high', { tcpKbps: { cubic: 5155 } }, ['tcp-rate down']],
    ['no TCP', { tcpKbps: {} }, ['tcp-rate down']],
    ['an RTT 3.1 ms too long', { rttMs: [103.1, 103.1, 100] }, ['rtt round']],
    ['no answer at all', { rttMs: [null, null] }, ['rtt round']],
    [
      'one packet lost of a link without loss',
      { loss: { ...good.loss, up: { sent: 9000, lost: 1 } } },
      ['loss up'],
    ],
    ['a queue of three packets less', { queuePackets: { down: 80, up: 83 } }, ['queue down']],
  ] as const)('refuses %s', (_, changes, wanted) => expect(outside(changes)).toEqual(wanted));

  it('tests loss exactly, and TCP not at all where there is loss', () => {
    const lost = (count: number) => ({ loss: both({ sent: 10_000, lost: count }), tcpKbps: {} });
    expect(outside(lost(100), lossy)).toEqual([]);
    // 3.5 standard deviations of 9.95 are the bound at a family-wise 99 % of 24 tests.
    expect(outside(lost(130), lossy)).toEqual([]);
    expect(outside(lost(140), lossy)).toEqual(['loss down', 'loss up']);
    expect(outside(lost(64), lossy)).toEqual(['loss down', 'loss up']);
  });
});

describe('calibrationCase', () => {
  it('asks for two BDPs of queue', () => expect(asked.queuePackets).toBe(83));
  it('and for 30 packets at least', () => expect(calibrationCase(1000, 20, 0).queuePackets).toBe(30));
});

describe('binomialP', () => {
  it.each([
    // By hand: 2 · (1 + 10 + 45) / 1024.
    [{ hits: 2, trials: 10, chance: 0.5 }, 0.109375],
    [{ hits: 8, trials: 10, chance: 0.5 }, 0.109375],
    [{ hits: 5, trials: 10, chance: 0.5 }, 1],
    // 2 · 0.99^500.
    [{ hits: 0, trials: 500, chance: 0.01 }, 2 * 0.99 ** 500],
    // 2 · 0.01^3.
    [{ hits: 3, trials: 3, chance: 0.01 }, 2e-6],
  ])('%j', (seen, p) => expect(binomialP(seen)).toBeCloseTo(p, 10));

  it('sums both tails of every count to the whole', () => {
    const trials = 40;
    const chance = 0.3;
    // P(X ≤ k) + P(X ≥ k + 1) = 1, so the two-sided value jumps over at most the mass of one count around the median.
    const values = Array.from({ length: trials + 1 }, (_, hits) => binomialP({ hits, trials, chance }));
    expect(Math.max(...values)).toBe(1);
    expect(values[0]).toBeCloseTo(2 * 0.7 ** 40, 12);
    expect(values[40]).toBeCloseTo(2 * 0.3 ** 40, 20);
  });

  it('is near the normal approximation for many trials', () => {
    // 1 % of 10,000: the standard deviation is 9.95, and 1.96 of them have p = 0.05.
    expect(binomialP({ hits: 120, trials: 10_000, chance: 0.01 })).toBeGreaterThan(0.04);
    expect(binomialP({ hits: 120, trials: 10_000, chance: 0.01 })).toBeLessThan(0.065);
  });

  it('takes no loss at all for a link without loss', () => {
    expect(binomialP({ hits: 0, trials: 10_000, chance: 0 })).toBe(1);
    expect(binomialP({ hits: 1, trials: 10_000, chance: 0 })).toBe(0);
  });
});
