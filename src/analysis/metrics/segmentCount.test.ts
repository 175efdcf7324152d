import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import type { EventOf } from '../../telemetry/event.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { keyFigures } from '../figures/keyFigures.ts';
import { seriesOf } from '../timeline/appendEvent.ts';
import { exampleSession, reading, rung, segmentsOf, stalled } from '../timeline/example.testing.ts';
import { metrics } from './registry.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);

/** The three terms of the linear QoE, in Mbit/s per segment, and its number of segments after the first. */
function partsOf(log: SessionLog): { quality: number; rebuffering: number; switching: number; qoe: number } {
  const { value, by } = of('qoe-linear', log);
  const series = seriesOf(log);
  // The page shows the metric of the log so far.
  expect(keyFigures(series).qoePerSegment.value).toBeCloseTo(value!, 9);
  return {
    quality: by!['quality']!,
    rebuffering: by!['rebuffering']!,
    switching: by!['switching']!,
    qoe: value!,
  };
}

/** Readings once a second from `fromMs` on, at a playback rate. */
function samples(fromMs: number, toMs: number, rate: number, playheadMs = 0): SessionEvent[] {
  const found: SessionEvent[] = [];
  for (let atMs = fromMs + 1000; atMs < toMs; atMs += 1000)
    found.push(reading(atMs, 'sample', playheadMs + rate * (atMs - fromMs), rate));
  return found;
}

/** As the ladder of a period reads, ascending. */
const ladder = (atMs: number, periodId: string, segmentMs: number, ...bitratesKbps: number[]): SessionEvent =>
  ({
    kind: 'ladder',
    id: 'x',
    atMs,
    mediaType: 'video',
    periodId,
    language: null,
    segmentMs,
    rungs: bitratesKbps.map((bitrateKbps, index) => ({
      representationId: `${periodId}-${index}`,
      bitrateKbps,
      width: null,
      height: null,
      codecs: '',
    })),
    missing: { language: 'not-sent' },
  }) as EventOf<'ladder'>;

describe('segments of uneven length', () => {
  /** 4 × 1 s, then 9 × 4 s: 8 s at 400 kbit/s, of which 4 + 1 segments, and 32 s at 1000, of which 8. A wait of 2 s. */
  const bootstrap = (lengths: readonly SessionEvent[]) =>
    exampleSession([
      ...[ladder(50, 'p0', 1000, 400, 1000, 4000), ...lengths],
      ...[reading(0, 'playing', 0), ...samples(0, 20_000, 1), rung(0, 0), rung(8000, 1)],
      ...[reading(20_000, 'waiting', 20_000), stalled(20_000, 2000), reading(22_000, 'playing', 20_000)],
      ...[...samples(22_000, 42_000, 1, 20_000), reading(42_000, 'ended', 40_000)],
    ]);
  const own = segmentsOf(1000, 1000, 1000, 1000, ...Array.from({ length: 9 }, () => 4000));

  test('count as they were played, and the first is left out by its own length', () => {
    const { quality, switching, rebuffering } = partsOf(bootstrap(own));
    // 12 of 13 count, of the five at 400 kbit/s four.
    expect(quality).toBeCloseTo((4 * 0.4 + 8 * 1) / 12, 9);
    expect(switching).toBeCloseTo(-0.6 / 12, 9);
    expect(rebuffering).toBeCloseTo((-4 * 2) / 12, 9);
    expect(of('bitrate-variation', bootstrap(own)).value).toBeCloseTo(600 / 12, 9);
  });
  test('have the length of the ladder where no request says it', () => {
    const { quality, switching } = partsOf(bootstrap([]));
    expect(quality).toBeCloseTo((7 * 0.4 + 32 * 1) / 39, 9);
    expect(switching).toBeCloseTo(-0.6 / 39, 9);
  });
  test('of 1 s and 3 s in turn, joined in the middle of one and seen only in part', () => {
    const uneven = segmentsOf(1000, 3000, 1000, 3000, 1000, 3000);
    const log = exampleSession([
      ...[...uneven, rung(0, 0), rung(3000, 1)],
      // From 2.5 s: half of a segment, 1, 1, 1, and a third.
      ...[reading(0, 'playing', 2500), ...samples(0, 7500, 1, 2500), reading(7500, 'stopped', 10_000)],
    ]);
    // 1.5 s + 1 s + 0.5 s at 400 kbit/s, then 2.5 s, 1 s and 1 s at 1000, less one segment's worth.
    const low = 1.5 / 3 + 1 + 0.5 / 3 - 1;
    const high = 2.5 / 3 + 1 + 1 / 3;
    expect(partsOf(log).quality).toBeCloseTo((low * 0.4 + high) / (low + high), 9);
  });
});

test('periods have segments of their own: an advertisement of 4 × 1 s before 8 × 4 s', () => {
  const log = exampleSession([
    ...[ladder(0, 'ad', 1000, 3000), ladder(3000, 'main', 4000, 400, 1000)],
    ...segmentsOf(...[1, 1, 1, 1, 4, 4, 4, 4, 4, 4, 4, 4].map((seconds) => seconds * 1000)),
    { ...rung(0, 0), bitrateKbps: 3000 } as SessionEvent,
    ...[rung(4000, 0), rung(12_000, 1)],
    ...[reading(0, 'playing', 0), ...samples(0, 36_000, 1), reading(36_000, 'ended', 36_000)],
  ]);
  // 11 segments count: three of the advertisement, two at 400 and six at 1000 kbit/s.
  const { quality, switching } = partsOf(log);
  expect(quality).toBeCloseTo((3 * 3 + 2 * 0.4 + 6 * 1) / 11, 9);
  expect(switching).toBeCloseTo(-(2.6 + 0.6) / 11, 9);
});

/** 40 s of media in segments of 2 s, one switch in the middle, no stalls. */
const atRate = (rate: number, isSampled: boolean): SessionLog => {
  const endMs = 40_000 / rate;
  return exampleSession([
    ...segmentsOf(...Array.from({ length: 20 }, () => 2000)),
    ...[rung(0, 0), rung(endMs / 2, 1), reading(0, 'playing', 0, rate)],
    ...(isSampled ? samples(0, endMs, rate) : []),
    reading(endMs, 'ended', 40_000, rate),
  ]);
};

describe('per segment is the same at every playback rate', () => {
  test.each([
    [0.5, true],
    [1, true],
    [2, true],
    [2, false],
    [1.25, false],
  ])('%s×, read once a second: %s', (rate, isSampled) => {
    const log = atRate(rate, isSampled);
    expect(of('bitrate-variation', log).value).toBeCloseTo(600 / 19, 9);
    const { quality, switching } = partsOf(log);
    expect(quality).toBeCloseTo((9 * 0.4 + 10) / 19, 9);
    expect(switching).toBeCloseTo(-0.6 / 19, 9);
    // The viewer's own time: half of it at each level.
    expect(of('mean-bitrate', log).value).toBeCloseTo(700, 9);
  });
  test('the mean bitrate is that of the viewer’s time, also where media ran faster at one level', () => {
    const log = exampleSession([
      ...[rung(0, 0), rung(10_000, 1), reading(0, 'playing', 0), ...samples(0, 10_000, 1)],
      ...[reading(10_000, 'rate', 10_000, 2), ...samples(10_000, 20_000, 2, 10_000)],
      reading(20_000, 'ended', 30_000, 2),
    ]);
    expect(of('mean-bitrate', log).value).toBeCloseTo(700, 9);
    expect(partsOf(log).quality).toBeCloseTo((4 * 0.4 + 10 * 1) / 14, 9);
  });
});

test('the page shows the metric of the log so far, at every moment', () => {
  const log = atRate(2, true);
  for (let atMs = 3000; atMs < 20_000; atMs += 1700) {
    const events = log.events.filter((event) => event.atMs <= atMs);
    const part = { ...log.parts[0]!, endMs: atMs };
    const soFar = of('qoe-linear', { ...log, events, parts: [part] }).value;
    expect(keyFigures(seriesOf(log), atMs).qoePerSegment.value).toBeCloseTo(soFar!, 9);
  }
});
