import { describe, expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { exampleDecision, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, level, playback, rung, stalled } from '../timeline/example.testing.ts';
import { keyFigures } from './keyFigures.ts';
import { metrics } from '../metrics/registry.ts';
import { createSeries } from '../timeline/series.ts';
import { seriesOf } from '../timeline/appendEvent.ts';

/** 4 s of 1000, 4 s of 4000 kbit/s, a stall of 2 s between them. */
const EVENTS: readonly SessionEvent[] = [
  playback(100, 'play-requested'),
  playback(600, 'playing'),
  rung(600, 1),
  level(600, 2000),
  playback(4600, 'waiting'),
  stalled(4600, 2000),
  level(4600, 0),
  rung(6600, 2),
  playback(6600, 'playing'),
  level(6600, 4000),
  playback(10_600, 'stopped'),
  exampleDecision({ atMs: 200 }),
  exampleRequest({ atMs: 300, protocol: 'h2', receivedBytes: 300 }),
  exampleRequest({ atMs: 5000, startMs: 5000, protocol: 'h3', receivedBytes: 100 }),
];
const series = seriesOf(exampleSession(EVENTS));
const figures = keyFigures(series);

describe('key figures', () => {
  test('of a small session', () => {
    expect(figures.joinMs.value).toBe(500);
    expect(figures.playedMs).toBe(8000);
    expect([figures.stallCount, figures.rebufferMs]).toEqual([1, 2000]);
    expect(figures.rebufferRate.value).toBeCloseTo(0.2, 9);
    expect(figures.bitrateNowKbps.value).toBe(4000);
    expect(figures.bitrateMeanKbps.value).toBeCloseTo(2500, 6);
    expect([figures.rungNow.value, figures.rungCount, figures.heightNow.value]).toEqual([2, 3, 720]);
    expect([figures.bufferNowMs.value, figures.bufferTargetMs.value]).toEqual([4000, 18_000]);
    // Trapezoids 2 → 0 s over 4 s, 0 → 4 s over 2 s: (4 + 4) / 6 s.
    expect(figures.bufferMeanMs.value).toBeCloseTo(8000 / 6, 6);
    expect(figures.mediaBytes).toEqual({ h1: 0, h2: 300, h3: 100, unknown: 0 });
    expect([figures.tcpShare.value, figures.protocolNow]).toEqual([0.75, 'h3']);
  });
  test('the target is that of the buffer shown: audio beside video has another', () => {
    const audio = { ...exampleDecision({ atMs: 7000, mediaType: 'audio' }) };
    const later = { ...audio, moment: { ...audio.moment, bufferTargetMs: 7000 } };
    expect(keyFigures(seriesOf(exampleSession([...EVENTS, later]))).bufferTargetMs.value).toBe(18_000);
  });
  test('linear QoE per segment of 2 s after the first: (1·1 + 2·4 − 3 − 4·2 s stalled) / 3, µ = 4', () => {
    expect(figures.qoeMu.value).toBe(4);
    expect(figures.qoePerSegment.value).toBeCloseTo((1 + 2 * 4 - 3 - 4 * 2) / 3, 9);
  });
  test('QoE of the page is the metric of the log, by the same definition', () => {
    const value = pick(metrics, 'qoe-linear').of(exampleSession(EVENTS)).value;
    expect(figures.qoePerSegment.value).toBeCloseTo(value!, 9);
  });
  test('protocol and pathway are those of one request: an aborted one has no protocol', () => {
    const aborted = { outcome: 'aborted', protocol: null, pathway: 'tcp' } as const;
    const of = (...events: SessionEvent[]) => {
      const { protocolNow, pathwayNow } = keyFigures(seriesOf(exampleSession(events)));
      return [protocolNow, pathwayNow];
    };
    const main = exampleRequest({ atMs: 5000, startMs: 5000, pathway: 'main' });
    expect(of(main, exampleRequest({ atMs: 6000, startMs: 6000, ...aborted }))).toEqual(['h3', 'main']);
    expect(of(exampleRequest({ atMs: 6000, startMs: 6000, ...aborted }))).toEqual([null, 'tcp']);
    expect(figures.pathwayNow).toBeNull();
  });
  test('as they stood earlier', () => {
    const early = keyFigures(series, 3000);
    expect(early.bitrateNowKbps.value).toBe(1000);
    expect([early.stallCount, early.playedMs, early.protocolNow]).toEqual([0, 2400, 'h2']);
    expect(keyFigures(series, 5600).rebufferMs).toBe(1000);
    expect(keyFigures(series, 300).joinMs.value).toBeNull();
  });
  test('a wait that is too short for a stall is rebuffer time, and no stall', () => {
    const short = keyFigures(seriesOf(exampleSession([...EVENTS, stalled(8000, MIN_STALL_MS - 1)])));
    expect([short.stallCount, short.rebufferMs]).toEqual([1, 2000 + MIN_STALL_MS - 1]);
  });
  test('agree with the metrics, which read the log itself', () => {
    const metric = (id: string) => pick(metrics, id).of(exampleSession(EVENTS)).value;
    expect(figures.bitrateMeanKbps.value).toBeCloseTo(metric('mean-bitrate')!, 6);
    expect(100 * figures.rebufferRate.value!).toBeCloseTo(metric('rebuffer-rate')!, 9);
    expect(figures.joinMs.value).toBe(metric('join-time'));
    expect(100 * figures.tcpShare.value!).toBeCloseTo(metric('tcp-share')!, 9);
    expect(figures.stallCount).toBe(metric('rebuffer-count'));
  });
  test('of nothing are unknown, each with a sentence that says why', () => {
    const nothing = Object.values(keyFigures(createSeries())).filter(
      (each) => typeof each === 'object' && each !== null && 'why' in each,
    );
    expect(nothing.length).toBe(12);
    for (const { value, why } of nothing) {
      expect(value).toBeNull();
      expect(why).toMatch(/^[A-Z].*\.$/);
    }
  });
  test('playback that ran before the recording has no join time', () => {
    const late = seriesOf(
      exampleSession([playback(0, 'playing'), playback(500, 'play-requested'), playback(600, 'playing')]),
    );
    expect(keyFigures(late).joinMs.why).toMatch(/already running/);
  });
});
