import { describe, expect, test } from 'vitest';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import { seededRandom } from '../statistics/random.ts';
import { appendEvent, seriesOf } from './appendEvent.ts';
import { exampleSession, reading, segmentsOf, sought } from './example.testing.ts';
import { addMediaSegment, countSegments, createMediaSegments } from './mediaSegments.ts';
import { createSeries } from './series.ts';
import { segmentsWatched, watchedMs, watchedSegments } from './watched.ts';

const LADDER_MS = 2000;
/** Segments and ms of media in a span of the session. */
const watched = (events: readonly SessionEvent[], fromMs: number, toMs: number): [number, number] => {
  const log = exampleSession(events);
  const [segments = NaN] = watchedSegments(log, [{ fromMs, toMs }], LADDER_MS);
  expect(segmentsWatched(seriesOf(log), [{ fromMs, toMs }], LADDER_MS)).toEqual(near([segments]));
  return [segments, watchedMs(log, { fromMs, toMs })];
};
const near = (numbers: readonly number[]): number[] =>
  numbers.map((each) => expect.closeTo(each, 9) as number);

describe('what was watched', () => {
  test.each<[string, SessionEvent[], [number, number], [number, number]]>([
    [
      'at twice the rate',
      [reading(0, 'playing', 0, 2), reading(1000, 'sample', 2000, 2), reading(3000, 'stopped', 6000, 2)],
      [0, 3000],
      [3, 6000],
    ],
    [
      'while the rate changes',
      [reading(0, 'playing', 0), reading(1000, 'rate', 1000, 4), reading(2000, 'stopped', 5000, 4)],
      [500, 1500],
      [1.25, 2500],
    ],
    [
      'as far as the playhead got, where it stood for a while and nobody said so',
      [reading(0, 'playing', 0), reading(1000, 'sample', 400), reading(2000, 'sample', 1400)],
      [0, 2000],
      [0.7, 1400],
    ],
    [
      'by rate and time, where nobody read the playhead in between and the ends do not fit',
      [reading(0, 'playing', 0, 2), reading(20_000, 'stopped', 5000, 2)],
      [0, 20_000],
      [20, 40_000],
    ],
    [
      'by rate and time after the last reading, and where the page was taken from the element',
      [reading(0, 'playing', 500, 2), reading(1000, 'stopped', 0)],
      [0, 2000],
      [1.5, 3000],
    ],
    [
      'without what a seek left out, forwards and back, also by less than a second',
      [
        ...[reading(0, 'playing', 0), sought(1000, 0), reading(1000, 'playing', 30_000)],
        ...[reading(2000, 'sample', 31_000), reading(3000, 'sample', 40_000), reading(4000, 'sample', 500)],
      ],
      [0, 4000],
      [2, 4000],
    ],
    ['nothing before the first reading', [reading(5000, 'playing', 0)], [0, 5000], [0, 0]],
  ])('%s', (_name, events, [fromMs, toMs], expected) =>
    expect(watched(events, fromMs, toMs)).toEqual(near(expected)),
  );

  test('in segments, each by its own length', () => {
    const events = [...segmentsOf(1000, 1000, 4000, 2000, 500), reading(0, 'playing', 0)];
    const at = (fromMs: number, toMs: number) => watched(events, fromMs, toMs)[0];
    expect([at(0, 8500), at(1500, 4000), at(8000, 9500)]).toEqual(near([5, 1, 1.5]));
  });
});

test('where segments overlap the later one plays, and in a hole the length of the ladder counts', () => {
  const segments = createMediaSegments();
  const places = [
    [0, 4000],
    [3000, 1000],
    [6000, 2000],
    [6000, 3000],
  ];
  for (const [mediaStartMs, mediaDurationMs] of places.reverse())
    addMediaSegment(
      segments,
      exampleRequest({ mediaStartMs: mediaStartMs!, mediaDurationMs: mediaDurationMs! }),
    );
  addMediaSegment(segments, exampleRequest({ mediaType: 'audio', mediaStartMs: 500, mediaDurationMs: 10 }));
  addMediaSegment(segments, exampleRequest({ mediaStartMs: null, mediaDurationMs: 10 }));
  expect(countSegments(segments, { fromMs: 0, toMs: 10_000 }, 500)).toBeCloseTo(0.75 + 1 + 4 + 1 + 2, 9);
  expect(countSegments(segments, { fromMs: -500, toMs: 0 }, 500)).toBeCloseTo(1, 9);
});

/** Adds up small steps, without the tables: a second way to the same number. */
function stepped(lengthsMs: readonly number[], fromMs: number, toMs: number): number {
  let [count, startMs] = [0, 0];
  for (const lengthMs of lengthsMs) {
    const overlapMs = Math.min(toMs, startMs + lengthMs) - Math.max(fromMs, startMs);
    count += Math.max(0, overlapMs) / lengthMs;
    startMs += lengthMs;
  }
  return count;
}

test('the account of a page that grows is that of the log so far, in whatever order things are recorded', () => {
  const random = seededRandom(7);
  for (let round = 0; round < 20; round += 1) {
    const lengthsMs = Array.from({ length: 30 }, () => 500 + Math.floor(random() * 3500));
    const requests = segmentsOf(...lengthsMs);
    const series = createSeries();
    let atMs = 0;
    appendEvent(series, reading(0, 'playing', 0));
    for (const request of requests) {
      // Low latency: a segment is recorded when it is whole, after its first part was played.
      const late = random() < 0.3 ? 1200 : -1200;
      const untilMs = Math.max(atMs, (request as { mediaStartMs: number }).mediaStartMs + late);
      for (; atMs + 1000 < untilMs; atMs += 1000)
        appendEvent(series, reading(atMs + 1000, 'sample', atMs + 1000));
      segmentsWatched(series, [{ fromMs: 0, toMs: atMs }], LADDER_MS);
      appendEvent(series, request);
    }
    const fromMs = Math.floor((random() * atMs) / 2);
    const [found] = segmentsWatched(series, [{ fromMs, toMs: atMs }], LADDER_MS);
    expect(found).toBeCloseTo(stepped(lengthsMs, fromMs, atMs), 9);
    // A seek is recorded when it ends, behind later readings.
    appendEvent(series, sought(Math.floor(atMs / 2), 10));
    const again = createSeries();
    for (const event of [...requests, reading(0, 'playing', 0)]) appendEvent(again, event);
    for (let each = 1000; each <= atMs; each += 1000) appendEvent(again, reading(each, 'sample', each));
    appendEvent(again, sought(Math.floor(atMs / 2), 10));
    const spans = [fromMs, atMs].map((toMs) => ({ fromMs: 0, toMs }));
    expect(segmentsWatched(series, spans, LADDER_MS)).toEqual(near(segmentsWatched(again, spans, LADDER_MS)));
  }
});

test('of a day only what is new is counted', () => {
  const series = createSeries();
  const lengthsMs = Array.from({ length: 21_600 }, (_, index) => (index % 2 === 0 ? 1000 : 7000));
  for (const request of segmentsOf(...lengthsMs.slice(0, 10_800))) appendEvent(series, request);
  for (let atMs = 0; atMs <= 43_000_000; atMs += 1000) appendEvent(series, reading(atMs, 'sample', atMs));
  const all = () => segmentsWatched(series, [{ fromMs: 0, toMs: series.lastMs }], LADDER_MS)[0]!;
  all();
  let reads = 0;
  const counted = new Proxy(series.mediaSegments.startMs, {
    get(target, name) {
      if (/^\d+$/.test(String(name))) reads += 1;
      return Reflect.get(target, name) as unknown;
    },
  });
  (series.mediaSegments as { startMs: number[] }).startMs = counted;
  appendEvent(series, reading(43_001_000, 'sample', 43_001_000));
  expect(all()).toBeCloseTo(stepped(lengthsMs, 0, 43_001_000), 6);
  expect(reads).toBeLessThan(200);
});
