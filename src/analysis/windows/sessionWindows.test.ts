import { expect, test } from 'vitest';
import { pick } from '../../shared/registry.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { exampleSession, playback, rung, stalled } from '../timeline/example.testing.ts';
import { metrics } from '../metrics/registry.ts';
import { runningMeans, sessionWindows } from './sessionWindows.ts';

const of = (id: string, log: SessionLog) => pick(metrics, id).of(log);
const media = (protocol: string | null, fromMs: number, toMs: number) =>
  exampleRequest({
    protocol,
    atMs: fromMs,
    startMs: fromMs,
    firstByteMs: fromMs,
    lastByteMs: toMs,
    endMs: toMs,
    receivedBytes: 1200,
  });

/** Play is asked for at 10 s: windows from 10, 40 and 70 s; what is after 100 s is no whole window. */
const session = exampleSession([
  playback(10_000, 'play-requested'),
  playback(10_000, 'playing'),
  rung(10_000, 2),
  // two levels down for 5 s, one window and another 15 s of the next
  rung(35_000, 0),
  rung(55_000, 1),
  playback(60_000, 'waiting'),
  stalled(60_000, 15_000),
  playback(75_000, 'playing'),
  // one level down to the end
  rung(80_000, 0),
  playback(119_000, 'stopped'),
  // evenly over 20 s: half in the first window
  media('h2', 30_000, 50_000),
  media('h3', 12_000, 12_000),
  media('h3', 45_000, 46_000),
  media('h3', 47_000, 48_000),
  media(null, 90_000, 91_000),
]);

test('one event at a wrong time makes no million of windows', () => {
  const log = { ...session, events: [...session.events, media('h3', 31_622_300_000, 31_622_400_000)] };
  expect(sessionWindows(log)).toEqual([]);
  expect(of('window-bitrate', log).why).toBe('No whole window of 30 s, or more than 10,000.');
});

test('shares, drops, stalls and bitrates of each whole window', () => {
  const windows = sessionWindows(session);
  expect(windows.map(({ fromMs, toMs }) => [fromMs, toMs])).toEqual([
    [10_000, 40_000],
    [40_000, 70_000],
    [70_000, 100_000],
  ]);
  expect(windows.map(({ tcpShare }) => tcpShare)).toEqual([
    expect.closeTo(1 / 3, 9),
    expect.closeTo(0.2, 9),
    null,
  ]);
  // 2 × 5, 2 × 15, 1 × 20
  expect(windows.map(({ qualityDropS }) => qualityDropS)).toEqual([10, 30, 20]);
  expect(windows.map(({ stallS }) => stallS)).toEqual([0, 10, 5]);
  // (25 × 4000 + 5 × 400) / 30, (15 × 400 + 5 × 1000) / 20, (5 × 1000 + 20 × 400) / 25
  expect(windows.map(({ bitrateKbps }) => bitrateKbps)).toEqual([3400, 550, 520]);
});

test('running means: a window is a sample, and the metrics are where they end', () => {
  const means = runningMeans(sessionWindows(session));
  expect(means.map(({ bitrateKbps }) => bitrateKbps)).toEqual([3400, 1975, 4470 / 3]);
  expect(means.map(({ variationKbps }) => variationKbps)).toEqual([null, 2850, 1440]);
  expect(means.map(({ stallS }) => stallS)).toEqual([0, 5, 5]);
  expect(of('window-bitrate', session).value).toBeCloseTo(1490, 9);
  expect(of('window-variation', session).value).toBe(1440);
  expect(of('window-stall', session).value).toBe(5);
  expect(of('quality-drop', session).value).toBe(20);
  expect(of('tcp-windows', session)).toEqual({ value: 2, by: { low: 1, medium: 1, high: 0 } });
});

test('a window in which the picture stood has no bitrate, and is no sample of one', () => {
  const still = { fromMs: 0, toMs: 1, tcpShare: null, qualityDropS: 0, stallS: 30, bitrateKbps: null };
  const at = (bitrateKbps: number) => ({ ...still, stallS: 0, bitrateKbps });
  const means = runningMeans([still, at(1000), still, at(400)]);
  expect(means.map(({ bitrateKbps }) => bitrateKbps)).toEqual([null, 1000, 1000, 700]);
  expect(means.map(({ variationKbps }) => variationKbps)).toEqual([null, null, null, 600]);
  expect(means.map(({ stallS }) => stallS)).toEqual([30, 15, 20, 15]);
});

test('less than a window is no window', () => {
  const short = exampleSession([playback(0, 'playing'), rung(0, 1), playback(29_999, 'stopped')]);
  for (const id of ['window-bitrate', 'window-stall', 'quality-drop', 'tcp-windows'])
    expect(of(id, short)).toEqual({ value: null, why: expect.stringContaining('30 s') });
});

/** Bytes over TCP in every seventh, a stall of 6 s two windows later. */
function racing(windows: number): SessionLog {
  const events: SessionEvent[] = [playback(0, 'playing'), rung(0, 1)];
  for (let window = 0; window < windows; window += 1) {
    const fromMs = window * 30_000;
    const driver = window % 7 === 0;
    events.push(media(driver ? 'h2' : 'h3', fromMs + 1000, fromMs + 2000));
    if (window % 7 === 2) events.push(stalled(fromMs + 3000, 6000));
  }
  return exampleSession([...events, playback(windows * 30_000, 'stopped')]);
}

test('the correlation finds the lag, and never comes without its shifts', () => {
  const { value, by, note } = of('tcp-stall-correlation', racing(28));
  expect(value).toBeGreaterThan(0.8);
  expect(by).toEqual({ lagS: 60, shareOfShiftsLarger: expect.any(Number) });
  expect(note).toMatch(/^At a lag of 60 s; \d+ % of 27 circular shifts have a larger maximum\.$/);
  expect(of('tcp-quality-correlation', racing(28)).why).toMatch(/same in all windows/);
});

/** 20 windows: media over TCP in the sixth alone, and what is handed in besides. */
const oneOfTwenty = (happened: readonly SessionEvent[]): SessionLog =>
  exampleSession([
    ...[playback(0, 'playing'), rung(0, 2), ...happened],
    ...Array.from({ length: 20 }, (_, window) =>
      media(window === 5 ? 'h2' : 'h3', window * 30_000 + 1000, window * 30_000 + 2000),
    ),
    playback(600_000, 'stopped'),
  ]);

/**
 * By hand: one window of 20 is 1, the others 0, or the like in seconds. Deviations are 0.95 and, 19 times, −0.05, their squares
 * 0.9025 + 19 × 0.0025 = 0.95 together. Two windows later 18 products are left: 0.9025 + 17 × 0.0025.
 */
test('20 windows by hand: the stall comes two windows later, the drop in the same', () => {
  const stall = of('tcp-stall-correlation', oneOfTwenty([stalled(7 * 30_000 + 5000, 6000)]));
  expect(stall.value).toBeCloseTo(0.945 / 0.95, 12);
  expect(stall.by!['lagS']).toBe(60);
  const drop = of('tcp-quality-correlation', oneOfTwenty([rung(155_000, 1), rung(161_000, 2)]));
  expect(drop.value).toBeCloseTo(1, 12);
  expect(drop.by).toEqual({ lagS: 0, shareOfShiftsLarger: 0 });
});

test('19 windows are too few', () => {
  expect(of('tcp-stall-correlation', racing(19)).why).toMatch(/Only 19 windows are known; 20 are needed/);
  expect(of('tcp-stall-correlation', racing(20)).value).not.toBeNull();
});
