import { describe, expect, test } from 'vitest';
import { seededRandom } from '../../shared/random.ts';
import type { InstrumentedSender, SenderSettings } from './congestionWindow.ts';
import { only, play, through, track } from './playByHand.testing.ts';
import type { PlayerModelSettings } from './playerModelSettings.ts';

const INSTRUMENTED: InstrumentedSender = {
  controller: 'cubic',
  emulatedConnections: null,
  tcpPacing: false,
  tlsRecords: 'dynamic',
};
const sender = (changes: Partial<SenderSettings>): SenderSettings => ({
  initialPackets: 10,
  queuePackets: 1000,
  ...changes,
});
/** 12 Mbit/s: a packet takes 1 ms. The round-trip time is 100 ms. */
const fast = through([[1e9, 12_000]]);
const bodies = (sizeBytes: number) =>
  only(track({ sizesBytes: [Array<number>(5).fill(sizeBytes), Array<number>(5).fill(sizeBytes)] }));

describe('the first byte', () => {
  const phases = (protocol: 'h1' | 'h2' | 'h3', tlsRecords: InstrumentedSender['tlsRecords']) => {
    const settings = { protocol, sender: sender({ instrumented: { ...INSTRUMENTED, tlsRecords } }) };
    const [first] = play(settings, { trace: fast, content: bodies(30_000) }).requests;
    return first!.firstByteMs! - first!.requestStartMs!;
  };

  test('waits for a TLS record of 16 KiB over TCP, where the origin writes such', () => {
    // Ten packets come at once and the eleventh a round trip and a packet's millisecond later: 131,072 bits are in there.
    expect(phases('h1', '16k')).toBeCloseTo(100 + 101 + (131_072 - 120_000) / 12_000, 6);
    expect(phases('h2', '16k')).toBeCloseTo(phases('h1', '16k'), 6);
    for (const protocol of ['h1', 'h2', 'h3'] as const) expect(phases(protocol, 'dynamic')).toBe(100);
    expect(phases('h3', '16k')).toBe(100);
  });
});

describe('a paced sender', () => {
  const tookMs = (protocol: 'h1' | 'h3', tcpPacing: boolean): number => {
    const settings = { protocol, sender: sender({ instrumented: { ...INSTRUMENTED, tcpPacing } }) };
    // 120,000 bits: a window of TCP, more than one of QUIC (10 × 1228 bytes, sent at once).
    const [first] = play(settings, { trace: fast, content: bodies(15_000) }).requests;
    return first!.lastByteMs! - first!.firstByteMs!;
  };

  test('spreads a window of TCP over a part of the round trip: in slow start over half of it', () => {
    expect(tookMs('h1', false)).toBeCloseTo(10, 6);
    expect(tookMs('h1', true)).toBeCloseTo(50, 6);
  });

  test('of QUIC sends ten packets at once', () => {
    // The round ends when its first packet is acknowledged, which needs 11,840 bits' time on the path.
    expect(tookMs('h3', true)).toBeCloseTo(100 + (11_840 + 120_000 - 98_240) / 12_000, 6);
  });
});

describe('with random losses', () => {
  const lossy = (share: number) => ({
    ...fast,
    lossDown: Float64Array.of(share),
    lossUp: Float64Array.of(share),
  });
  const settings = { protocol: 'h2', sender: sender({ lossSeed: 7 }) } as const;

  test('a loss of nothing plays as no loss', () => {
    const content = bodies(150_000);
    const without = play({ ...settings, sender: sender({}) }, { trace: fast, content });
    const { outcome } = play(settings, { trace: lossy(0), content });
    expect(outcome.durationMs).toBeCloseTo(without.outcome.durationMs, 6);
  });

  test('the seed decides, and nothing else', () => {
    const played = (lossSeed: number) =>
      play({ ...settings, sender: sender({ lossSeed }) }, { trace: lossy(0.05), content: bodies(150_000) })
        .outcome.durationMs;
    expect(played(7)).toBe(played(7));
    expect(played(8)).not.toBe(played(7));
  });

  test('a body takes longer the more is lost', () => {
    const meanMs = (share: number): number => {
      const ends = Array.from({ length: 40 }, (_, lossSeed) => {
        const scene = { trace: lossy(share), content: bodies(150_000) };
        const [first] = play({ ...settings, sender: sender({ lossSeed }) }, scene).requests;
        return first!.lastByteMs! - first!.requestStartMs!;
      });
      return ends.reduce((sum, each) => sum + each, 0) / ends.length;
    };
    const [none, little, much] = [0, 0.01, 0.1].map(meanMs);
    expect(little).toBeGreaterThan(none! + 20);
    expect(much).toBeGreaterThan(2 * little!);
  });

  const random = seededRandom(20);
  const drawn = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)]!;
  const cases = Array.from({ length: 60 }, (_, lossSeed) => ({ lossSeed }));
  test.each(cases)('every session ends, whatever the path: $lossSeed', ({ lossSeed }) => {
    const pieces = Array.from({ length: 20 }, (_, piece): [number, number] => [
      (piece + 1) * 3000,
      drawn([0, 50, 400, 3000, 40_000]),
    ]);
    const trace = {
      ...through([...pieces, [1e9, 500]]),
      rttMs: Float64Array.from({ length: 21 }, () => drawn([1, 40, 600])),
    };
    const shares = () => Float64Array.from({ length: 21 }, () => drawn([0, 0.001, 0.05, 0.5, 0.9]));
    const instrumented: InstrumentedSender = {
      controller: drawn(['reno', 'cubic'] as const),
      emulatedConnections: drawn([null, 2]),
      tcpPacing: drawn([true, false]),
      tlsRecords: drawn(['dynamic', '16k'] as const),
    };
    const changes: Partial<PlayerModelSettings> = {
      protocol: drawn(['h1', 'h2', 'h3'] as const),
      rttMs: null,
      sender: sender({ lossSeed, ...(drawn([true, false]) && { instrumented }) }),
    };
    const content = { ...bodies(40_000), audio: track({ segmentMs: 2000 }) };
    const { requests, outcome } = play(changes, {
      trace: { ...trace, lossDown: shares(), lossUp: shares() },
      content,
    });
    expect(outcome.rungs).toHaveLength(5);
    for (const { receivedBytes, startMs, firstByteMs, lastByteMs, outcome: end } of requests) {
      if (end !== 'ok') continue;
      expect([40_000, 12_500]).toContain(receivedBytes);
      expect(firstByteMs! >= startMs! && lastByteMs! >= firstByteMs!).toBe(true);
    }
  });
});
