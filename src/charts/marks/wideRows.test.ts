import { describe, expect, test } from 'vitest';
import { exampleDay, level } from '../../analysis/timeline/example.testing.ts';
import { appendEvent } from '../../analysis/timeline/appendEvent.ts';
import { createSeries, type SessionSeries } from '../../analysis/timeline/series.ts';
import { exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../../telemetry/schema/sessionLog.ts';
import type { Lane, View } from '../chart.ts';
import { CHARTS } from '../registry.ts';

const HOUR = 3_600_000;
const events = [...exampleDay(3600)];
/** So long ago that every fold has passed it. */
const late = exampleRequest({
  id: 'late',
  segment: 1,
  outcome: 'network-error',
  protocol: 'h2',
  atMs: HOUR,
  startMs: HOUR,
  firstByteMs: HOUR + 3900,
  lastByteMs: HOUR + 3950,
  endMs: HOUR + 3950,
});

const whole = ({ lastMs }: SessionSeries, changes: Partial<View> = {}): View => ({
  fromMs: 0,
  toMs: lastMs,
  nowMs: lastMs,
  maxPoints: 400,
  narrow: false,
  ...changes,
});
const lanesOf = (series: SessionSeries, changes?: Partial<View>): Lane[] =>
  CHARTS.map((chart) => chart.build(series, whole(series, changes)));
function seriesWith(all: readonly SessionEvent[], everyEvents = Infinity): SessionSeries {
  const series = createSeries();
  all.forEach((event, index) => {
    appendEvent(series, event);
    if (index % everyEvents === 0) lanesOf(series);
  });
  return series;
}

describe('four hours', () => {
  test('drawn while they were recorded look as when drawn once', () =>
    expect(lanesOf(seriesWith(events, 2500))).toEqual(lanesOf(seriesWith(events))));
  test('look the same when a request is reported hours late', () =>
    expect(lanesOf(seriesWith([...events, late], 2500))).toEqual(lanesOf(seriesWith([...events, late]))));
  test('look the same after a look at a part of them', () => {
    const series = seriesWith(events);
    const before = lanesOf(series);
    lanesOf(series, { fromMs: HOUR, toMs: 3 * HOUR });
    lanesOf(series, { maxPoints: 150 });
    expect(lanesOf(series)).toEqual(before);
  });
});

describe('of hours, one shows', () => {
  const marksOf = (id: string, all: readonly SessionEvent[]) => {
    const series = seriesWith(all);
    return CHARTS.find((chart) => chart.id === id)!.build(series, whole(series)).marks;
  };
  test.each([
    ['trough', 37, 0.037],
    ['peak', 19_000, 19],
  ])('the only %s of the buffer', (_name, levelMs, levelS) => {
    const lines = marksOf('buffer', [...events, level(HOUR + 123, levelMs, 'video')]);
    const levels = lines.flatMap((mark) => (mark.kind === 'line' ? Array.from(mark.ys) : []));
    expect(levels.filter((each) => Math.abs(each - levelS) < 1e-4)).toHaveLength(1);
  });
  test('the slowest answer', () => {
    const slow = exampleRequest({ ...late, outcome: 'ok' });
    const dots = marksOf('latency', [...events, slow]);
    const at = dots.flatMap((mark) => (mark.kind === 'dots' ? Array.from(mark.ys) : []));
    expect(Math.max(...at)).toBe(3900);
  });
  test('the failed request', () => {
    const [mark] = marksOf('requests', [...events, late]);
    const looks = mark?.kind === 'spans' ? Array.from(mark.looks) : [];
    expect(looks.filter((look) => look === 1)).toHaveLength(1);
  });
  test('no byte twice and none left out', () => {
    const drawn = marksOf('racing', events)
      .flatMap((mark) => (mark.kind === 'bars' ? [mark] : []))
      .flatMap(({ base, top }) => Array.from(top, (edge, index) => edge - base[index]!))
      .reduce((total, mega) => total + mega, 0);
    const megabytes = events.reduce(
      (total, event) =>
        total + (event.kind === 'request' && event.type === 'media' ? event.receivedBytes! / 1e6 : 0),
      0,
    );
    expect(drawn).toBeCloseTo(megabytes, 6);
  });
});
