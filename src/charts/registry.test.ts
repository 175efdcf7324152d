import { describe, expect, test } from 'vitest';
import {
  exampleDay,
  exampleSession,
  level,
  playback,
  stalled,
} from '../analysis/timeline/example.testing.ts';
import { appendEvent, seriesOf, setOpenEvents } from '../analysis/timeline/appendEvent.ts';
import { createSeries, type SessionSeries } from '../analysis/timeline/series.ts';
import { faultsOf } from '../shared/registry.ts';
import { exampleLog, exampleRequest } from '../telemetry/exampleLog.testing.ts';
import type { SessionEvent } from '../telemetry/schema/sessionLog.ts';
import { backdrop } from './marks/backdrop.ts';
import { axisFaults, markFaults } from './checkLane.testing.ts';
import type { Chart, Lane, View } from './chart.ts';
import { CHARTS } from './registry.ts';
import { protocolStrip } from './marks/protocolStrip.ts';

const UNKNOWN = { protocol: null, firstByteMs: null, rung: null, bitrateKbps: null, segment: null } as const;

function daySeries(): SessionSeries {
  const series = createSeries();
  for (const event of exampleDay(21_600)) appendEvent(series, event);
  return series;
}
/** Each request on another protocol than the one before, a stall every 10 s, a race each: what thinning is for. */
function troubledDay(): SessionSeries {
  const series = createSeries();
  for (let index = 0; index < 8640; index += 1) {
    const atMs = index * 10_000;
    const protocol = index % 2 === 0 ? 'h3' : 'h2';
    appendEvent(series, exampleRequest({ id: `r${index}`, segment: index, protocol, ...timesOf(atMs) }));
    appendEvent(series, stalled(atMs + 500, 2000));
    appendEvent(series, raced(atMs, protocol));
    appendEvent(series, steered(atMs, index % 2 === 0 ? 'main' : 'tcp'));
  }
  return series;
}
/** A window that saws, losses, and a new connection every hour. */
function reportedDay(): SessionSeries {
  const series = createSeries();
  for (let index = 0; index < 21_600; index += 1) {
    const reported = {
      rtt: 20 + (index % 17),
      cwnd: String(14_000 + (index % 40) * 9000),
      lost: String(index >> 3),
    };
    appendEvent(series, telling(index * 4000, { ...reported, connection: String(Math.floor(index / 900)) }));
  }
  return series;
}
function telling(atMs: number, { rtt, ...others }: Record<string, string | number>): SessionEvent {
  const serverTiming = [
    { name: 'rtt', durationMs: Number(rtt), description: '' },
    ...Object.entries(others).map(([name, value]) => ({ name, durationMs: 0, description: String(value) })),
  ];
  return exampleRequest({ id: `told${atMs}`, protocol: 'h2', serverTiming, ...timesOf(atMs) });
}
const timesOf = (atMs: number) => ({
  atMs,
  startMs: atMs,
  firstByteMs: atMs + 20,
  lastByteMs: atMs + 90,
  endMs: atMs + 90,
});
const steered = (atMs: number, pathway: string): SessionEvent => ({
  kind: 'steering',
  id: `g${atMs}`,
  atMs,
  missing: {},
  policy: 'throughput',
  fromPathway: 'main',
  pathway,
  because: 'A probe says so.',
  values: {},
  probe: { pathway: 'tcp', bytes: 100 },
  rescue: { requestId: 'r1' },
});
const raced = (atMs: number, protocol: string): SessionEvent => ({
  kind: 'transport',
  id: 't',
  atMs,
  requestId: null,
  source: 'netlog',
  races: [
    {
      outcome: protocol === 'h3' ? 'alternativeJobWon' : 'mainJobWon',
      mainDelayMs: null,
      startMs: atMs,
      endMs: null,
    },
  ],
  connectionId: null,
  missing: { requestId: 'not-reported', connectionId: 'not-reported' },
});
function openSeries(): SessionSeries {
  const series = seriesOf(exampleLog());
  setOpenEvents(series, [exampleRequest({ ...UNKNOWN, id: 'open', atMs: 6000, startMs: null, endMs: null })]);
  return series;
}

/** Every kind of session that a chart may meet. */
const SERIES: Readonly<Record<string, SessionSeries>> = {
  empty: createSeries(),
  tiny: seriesOf(exampleLog({ segments: 1 })),
  'nothing but audio levels': seriesOf(exampleSession([level(0, 0, 'audio'), playback(1, 'playing')])),
  'everything unknown': seriesOf(
    exampleLog({ segments: 0, extra: [exampleRequest({ ...UNKNOWN, receivedBytes: null })] }),
  ),
  'with a request in flight': openSeries(),
  'a day': daySeries(),
  'a day of trouble': troubledDay(),
  'a day of a server that tells': reportedDay(),
  'a server that tells nonsense': seriesOf(
    exampleLog({ extra: [telling(500, { rtt: 9e9, cwnd: '9999999999', lost: '9999999' })] }),
  ),
};

const viewOf = (fromMs: number, toMs: number, changes: Partial<View> = {}): View => ({
  fromMs,
  toMs,
  nowMs: toMs,
  maxPoints: 900,
  narrow: false,
  ...changes,
});
const viewsOf = ({ lastMs }: SessionSeries): readonly View[] => [
  viewOf(0, Math.max(1000, lastMs)),
  viewOf(0, Math.max(1000, lastMs), { maxPoints: 300, narrow: true }),
  viewOf(Math.max(0, lastMs - 60_000), lastMs + 1000),
  viewOf(1000, 1001, { nowMs: 1000 }),
  // Before now, and beyond the end.
  viewOf(lastMs + 60_000, lastMs + 120_000, { nowMs: lastMs }),
];
const laneFaults = (lane: Lane, view: View): string[] => [
  ...axisFaults('left', lane.left),
  ...(lane.right ? axisFaults('right', lane.right) : []),
  ...lane.marks.flatMap((mark) => markFaults(mark, view)),
  ...(/NaN|undefined|Infinity/.test(lane.sentence + lane.note)
    ? [`says "${lane.sentence} ${lane.note}"`]
    : []),
];
const momentsOf = ({ lastMs }: SessionSeries): number[] => [0, lastMs / 2, lastMs, lastMs + 9e6];
const labelsAt = (chart: Chart, series: SessionSeries, atMs: number): string[] =>
  chart.readout(series, atMs).map(({ label }) => label);

test('the registry has no faults', () => expect(faultsOf(CHARTS)).toEqual([]));

test.each(Object.entries(SERIES))('the strip of the whole session: %s', (_name, series) => {
  const whole = viewsOf(series).filter(({ fromMs }) => fromMs === 0);
  for (const view of whole) expect(laneFaults(protocolStrip(series, view), view)).toEqual([]);
});

test.each(Object.entries(SERIES))('stalls and gaps behind the lanes: %s', (_name, series) => {
  for (const view of viewsOf(series))
    expect(backdrop(series, view).flatMap((mark) => markFaults(mark, view))).toEqual([]);
});

describe.each(CHARTS.map((chart) => [chart.id, chart] as const))('%s', (_id, chart) => {
  describe.each(Object.entries(SERIES))('%s', (_name, series) => {
    test('builds lanes of finite numbers, no more of them than the view has space for', () => {
      for (const view of viewsOf(series)) expect(laneFaults(chart.build(series, view), view)).toEqual([]);
    });
    test('draws nothing later than now', () => {
      const view = viewOf(0, series.lastMs + 60_000, { nowMs: series.lastMs });
      const late = chart
        .build(series, view)
        .marks.flatMap((mark) =>
          mark.kind === 'dots' || mark.kind === 'flags'
            ? Array.from(mark.xs).filter((x) => x > view.nowMs)
            : [],
        );
      expect(late).toEqual([]);
    });
    test('reads out the same items at every moment, in words that fit', () => {
      for (const atMs of momentsOf(series)) {
        expect(labelsAt(chart, series, atMs)).toEqual(labelsAt(chart, series, 0));
        for (const { value, chars, label } of chart.readout(series, atMs)) {
          expect(value ?? '').not.toMatch(/NaN|undefined|Infinity/);
          if (value !== null) expect(value.length, `${label}: ${value}`).toBeLessThanOrEqual(chars);
        }
      }
    });
    test('makes a table with as many cells as columns, and says how many rows it left out', () => {
      const { rows, columns, leftOut, caption } = chart.table(series, {
        fromMs: 0,
        toMs: series.lastMs + 1,
        maxRows: 50,
      });
      expect(caption).not.toBe('');
      expect(rows.length).toBeLessThanOrEqual(50);
      expect(leftOut).toBeGreaterThanOrEqual(0);
      for (const row of rows) {
        expect(row).toHaveLength(columns.length);
        expect(row.join()).not.toMatch(/NaN|undefined|Infinity/);
      }
    });
    test('picks an event that is there, or nothing', () => {
      for (const atMs of momentsOf(series))
        for (const y of [0, 4, 60]) {
          const picked = chart.pick?.(series, { atMs, y, msPerPx: 100 }) ?? null;
          if (picked) expect(series.ids).toContain(picked.id);
        }
    });
  });
});
