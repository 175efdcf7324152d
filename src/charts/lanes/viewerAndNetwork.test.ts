import { describe, expect, test } from 'vitest';
import {
  besideFlows,
  besidePlayers,
  exampleSession,
  linked,
  playback,
  sought,
} from '../../analysis/timeline/example.testing.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import type { View } from '../chart.ts';
import type { Mark } from '../marks/mark.ts';
import { viewerAndNetwork } from './viewerAndNetwork.ts';

const VIEW: View = { fromMs: 0, toMs: 60_000, nowMs: 60_000, maxPoints: 600, narrow: false };

const EVENTS = [
  playback(0, 'playing'),
  sought(10_000, 300),
  playback(20_000, 'paused'),
  playback(25_000, 'playing'),
];

const withScript = (log: SessionLog): SessionLog => ({
  ...log,
  environment: { ...log.environment, viewer: 'time-10:seek-to-30' },
});

/** UDP is limited from 5 to 15 s, and the path changes twice. */
function changed(events: readonly SessionEvent[] = EVENTS): SessionLog {
  const log = linked(exampleSession(events), [
    [5000, 64],
    [15_000, null],
  ]);
  const at = (atMs: number): number => log.clock.startedAtUnixMs + atMs;
  const linkRun = {
    ...log.environment.linkRun!,
    addressChanges: [{ atUnixMs: at(30_000), address: '198.51.100.3' }],
    udpPortChanges: [{ atUnixMs: at(45_000), flows: 1 }],
  };
  return { ...log, environment: { ...log.environment, linkRun } };
}

/** Two flows of TCP and one of QUIC from before the start to 40 s, one more of TCP from 30 s on. */
function shared(): SessionLog {
  const first = { fromMs: -5000, toMs: 40_000, bytesBySecond: [] };
  const log = besideFlows(linked(exampleSession(EVENTS), []), [
    ...[first, first, first],
    { fromMs: 30_000, toMs: 60_000, bytesBySecond: [] },
  ]);
  const beside = log.environment.beside!;
  const flows = beside.flows.map((flow, index) =>
    index === 2 ? { ...flow, transport: 'quic' as const } : flow,
  );
  return { ...log, environment: { ...log.environment, beside: { ...beside, flows } } };
}

/** The path carries 1390 bytes from 10 s, and 1280 without ICMP from 30 to 50 s. */
function withMtu(): SessionLog {
  const log = linked(exampleSession(EVENTS), []);
  const change = (atMs: number, bytes: number, blackHole = false) => ({
    atUnixMs: log.clock.startedAtUnixMs + atMs,
    bytes,
    ...(blackHole && { blackHole }),
  });
  const mtuChanges = [change(10_000, 1390), change(30_000, 1280, true), change(50_000, 1500)];
  const linkRun = { ...log.environment.linkRun!, mtuChanges };
  return { ...log, environment: { ...log.environment, linkRun } };
}

const marksOf = (log: SessionLog, view: Partial<View> = {}): readonly Mark[] =>
  viewerAndNetwork.build(seriesOf(log), { ...VIEW, ...view }).marks;
const textsOf = (marks: readonly Mark[]): string[] =>
  marks.flatMap((mark) =>
    mark.kind === 'texts' ? mark.items.map(({ atMs, text }) => `${atMs} ${text}`) : [],
  );
const bandsOf = (marks: readonly Mark[]): number[][] =>
  marks.flatMap((mark) =>
    mark.kind === 'line' && mark.xs.length > 0 ? [Array.from(mark.xs).slice(0, 2)] : [],
  );

describe('viewer and network', () => {
  test.each([
    ['a session that nobody disturbed', exampleSession(EVENTS), false],
    ['a link that did nothing', linked(exampleSession(EVENTS), []), false],
    ['a viewer’s script', withScript(exampleSession([])), true],
    ['a link that changed', changed(), true],
    ['flows beside the viewer', shared(), true],
    ['a path with a small MTU', withMtu(), true],
  ])('takes space only where there is something from the start: %s', (_name, log, expected) =>
    expect(viewerAndNetwork.hasData?.(seriesOf(log))).toBe(expected),
  );

  test('shows seeks and pauses of the viewer, limits and changes of the network', () => {
    const marks = marksOf(changed());
    expect(textsOf(marks)).toEqual([
      '10000 »',
      '5000 UDP ≤ 64 kbit/s',
      '30000 new address',
      '45000 new UDP ports',
    ]);
    expect(bandsOf(marks)).toEqual([
      [20_000, 25_000],
      [5000, 15_000],
    ]);
  });

  test('a limit that began before the view is named at its edge, one that has ended is not', () => {
    expect(textsOf(marksOf(changed(), { fromMs: 12_000 }))).toContain('12000 UDP ≤ 64 kbit/s');
    expect(textsOf(marksOf(changed(), { fromMs: 16_000 }))[0]).toBe('30000 new address');
  });

  test('nothing that is still to come is drawn', () => {
    expect(textsOf(marksOf(changed(), { nowMs: 8000 }))).toEqual(['5000 UDP ≤ 64 kbit/s']);
    expect(bandsOf(marksOf(changed(), { nowMs: 8000 }))).toEqual([[5000, 8000]]);
  });

  test('the head has the limits that hold now', () => {
    const at = (atMs: number) => viewerAndNetwork.readout(seriesOf(changed()), atMs)[0]?.value;
    expect([at(1000), at(7000), at(31_000)]).toEqual(['none', 'UDP ≤ 64 kbit/s', 'none']);
  });

  test('a player that pauses at the end is no viewer who pauses', () => {
    const ended = [playback(0, 'playing'), playback(20_000, 'paused'), playback(20_001, 'ended')];
    expect(bandsOf(marksOf(withScript(exampleSession(ended))))).toEqual([]);
  });

  test('a limit from before the start is in the table of every view', () => {
    const log = linked(exampleSession(EVENTS), [[-5000, 64]]);
    const { rows } = viewerAndNetwork.table(seriesOf(log), { fromMs: 30_000, toMs: 60_000, maxRows: 10 });
    expect(rows).toEqual([['before the start', 'network', 'UDP ≤ 64 kbit/s from before the start on']]);
  });

  test('many changes are counted in the sentence, and thinned in the picture', () => {
    const many = Array.from({ length: 2000 }, (_, index) => [30 * index, index % 2 ? null : 64] as const);
    const series = seriesOf(linked(exampleSession(EVENTS), many));
    const { sentence, marks } = viewerAndNetwork.build(series, VIEW);
    expect(sentence).toContain('997 changes, then UDP ≤ 64 kbit/s from 1:00 to 1:00');
    expect(textsOf(marks).length).toBeLessThan(12);
    expect(sentence.length).toBeLessThan(300);
    for (const mark of marks)
      if (mark.kind === 'line') expect(mark.xs.length).toBeLessThanOrEqual(3 * VIEW.maxPoints);
  });

  test('flows beside the viewer are named where they begin, and drawn until they end', () => {
    const marks = marksOf(shared());
    expect(textsOf(marks)).toEqual([
      '10000 »',
      '0 2 TCP flows, 1 QUIC flow beside',
      '30000 1 TCP flow beside',
    ]);
    expect(bandsOf(marks)).toEqual([
      [20_000, 25_000],
      [0, 60_000],
    ]);
    expect(viewerAndNetwork.build(seriesOf(shared()), VIEW).sentence).toContain(
      'The network: 2 TCP flows, 1 QUIC flow beside from before the start to 0:40; 1 TCP flow beside from 0:30 to 1:00.',
    );
    expect(viewerAndNetwork.readout(seriesOf(shared()), 30_000)[0]?.value).toBe('none');
  });

  test('other viewers are named from their first bytes on', () => {
    const others = [
      [null, 400, 1000],
      [null, null, 1000],
    ];
    const log = besidePlayers(linked(exampleSession(EVENTS), []), others, 5000);
    expect(textsOf(marksOf(log))).toContain('1000 2 players beside');
  });

  test('a block is called by its name', () => {
    const log = linked(exampleSession(EVENTS), [[5000, 0]]);
    expect(textsOf(marksOf(log))).toContain('5000 no UDP');
    expect(viewerAndNetwork.build(seriesOf(log), VIEW).sentence).toContain('no UDP from 0:05 on');
  });

  test('as a table', () => {
    const { rows } = viewerAndNetwork.table(seriesOf(changed()), { fromMs: 0, toMs: 60_000, maxRows: 10 });
    expect(rows.map(([, who, what]) => `${who}: ${what}`)).toEqual([
      'network: UDP ≤ 64 kbit/s from 0:05 to 0:15',
      'viewer: seek',
      'viewer: pause',
      'network: new address at 0:30',
      'network: new UDP ports at 0:45',
    ]);
  });

  test('a small MTU lasts until the next change, and is named in the lane, the sentence and the table', () => {
    const log = withMtu();
    const marks = marksOf(log);
    expect(textsOf(marks)).toEqual(
      expect.arrayContaining(['10000 MTU 1390', '30000 MTU 1280, no ICMP']) as string[],
    );
    expect(bandsOf(marks)).toContainEqual([10_000, 50_000]);
    const series = seriesOf(log);
    expect(viewerAndNetwork.build(series, VIEW).sentence).toMatch(
      /MTU 1390 from 0:10 to 0:30; MTU 1280, no ICMP from 0:30 to 0:50\.$/,
    );
    expect(viewerAndNetwork.readout(series, 40_000)[0]).toMatchObject({ value: 'MTU 1280, no ICMP' });
    expect(viewerAndNetwork.readout(series, 55_000)[0]).toMatchObject({ value: 'none' });
  });
});
