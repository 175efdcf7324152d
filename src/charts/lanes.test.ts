import { describe, expect, test } from 'vitest';
import { VIDEO } from '../analysis/timeline/columns.ts';
import { exampleSession, playback, request, rung, stalled } from '../analysis/timeline/example.testing.ts';
import { PROTOCOLS } from '../analysis/transport/protocol.ts';
import { seriesOf } from '../analysis/timeline/appendEvent.ts';
import { MIN_STALL_MS } from '../shared/stalls.ts';
import { exampleDecision } from '../telemetry/exampleLog.testing.ts';
import type { EventOf, RequestEvent, TransportEvent } from '../telemetry/event.ts';
import type { SessionEvent } from '../telemetry/schema/sessionLog.ts';
import { formatCursor } from './formatCursor.ts';
import type { View } from './chart.ts';
import { CELL_LOOKS, LOOKS, type Mark } from './marks/mark.ts';
import { decisionBeside, decisionPick, requestPick } from './picks.ts';
import { CHARTS } from './registry.ts';
import { measuredKbps } from './requestRows.ts';
import { ruleLook, shortNameOf } from './ruleLook.ts';
import { protocolStrip } from './marks/protocolStrip.ts';
import { rowFor, rowMiddlePx } from './lanes/waterfall.ts';

const VIEW: View = { fromMs: 0, toMs: 20_000, nowMs: 20_000, maxPoints: 900, narrow: false };
const marksOf = (id: string, events: readonly SessionEvent[]): readonly Mark[] =>
  CHARTS.find((chart) => chart.id === id)!.build(seriesOf(exampleSession(events)), VIEW).marks;
const marks = <Kind extends Mark['kind']>(id: string, kind: Kind, events: readonly SessionEvent[]) =>
  marksOf(id, events).filter((mark): mark is Extract<Mark, { kind: Kind }> => mark.kind === kind);

describe('pathways', () => {
  const step = (atMs: number, pathway: string, more: Partial<EventOf<'steering'>> = {}): SessionEvent => ({
    kind: 'steering',
    id: `g${atMs}`,
    atMs,
    missing: {},
    policy: 'throughput',
    pathway,
    because: 'A probe says so.',
    values: {},
    ...more,
  });
  const steps = [
    step(500, 'main'),
    step(4000, 'main', { fromPathway: 'main', probe: { pathway: 'tcp', bytes: 32_768 } }),
    step(5000, 'tcp', { fromPathway: 'main', rescue: { requestId: 'r2' } }),
    step(15_000, 'main', { fromPathway: 'tcp' }),
  ];
  const chart = CHARTS.find(({ id }) => id === 'pathways')!;
  test('take no space in a session without steering', () => {
    expect(chart.hasData?.(seriesOf(exampleSession([])))).toBe(false);
    expect(chart.hasData?.(seriesOf(exampleSession(steps)))).toBe(true);
  });
  test('the pathway in use is a step that is held until now, one row a pathway', () => {
    const [line] = marks('pathways', 'line', steps);
    expect([...Array.from(line!.xs)]).toEqual([500, 4000, 5000, 15_000, 20_000]);
    expect([...Array.from(line!.ys)]).toEqual([0, 0, 1, 0, 0]);
    expect(line!.step).toBe(true);
  });
  test('a probe stands on the pathway that it measures, a continued request on the one that continues it', () => {
    const items = marks('pathways', 'texts', steps).flatMap((mark) => mark.items);
    expect(items.map(({ atMs, y, text }) => [atMs, y, text])).toEqual([
      [4000, 1, '?'],
      [5000, 1, '↷'],
    ]);
  });
  test('a moment before a change names what was used then', () => {
    const values = (atMs: number) =>
      chart.readout(seriesOf(exampleSession(steps)), atMs).map(({ value }) => value);
    expect(values(4999).slice(0, 2)).toEqual(['main', '0']);
    expect(values(16_000).slice(0, 2)).toEqual(['main', '2']);
    expect(values(100)[0]).toBe('unknown');
  });
});

describe('bitrate', () => {
  test('its axis has space for every ladder in the view: the next period is read while this one plays', () => {
    const chart = CHARTS.find(({ id }) => id === 'bitrate')!;
    const log = exampleSession([rung(1000, 2)]);
    const first = log.events.find((event) => event.kind === 'ladder')!;
    const low = { ...first, id: 'l2', atMs: 9000, periodId: 'p1', rungs: first.rungs.slice(0, 1) };
    const topOf = (view: View): number =>
      chart.build(seriesOf({ ...log, events: [...log.events, low] }), view).left.top;
    expect(topOf(VIEW)).toBeGreaterThan(4);
    expect(topOf({ ...VIEW, fromMs: 10_000 })).toBeLessThan(1);
  });
  test('what was rendered is the heavy step in Mbit/s, held until now', () => {
    const rendered = marks('bitrate', 'line', [rung(1000, 0), rung(5000, 2)]).find(
      ({ widthPx }) => widthPx > 2,
    )!;
    expect([...Array.from(rendered.xs)]).toEqual([1000, 5000, 20_000]);
    expect([...Array.from(rendered.ys)]).toEqual([0.4, 4, 4]);
    expect(rendered.step).toBe(true);
  });
  test('measured throughput is bytes from first to last byte: 250 kB in 200 ms', () => {
    const series = seriesOf(exampleSession([request(1000)]));
    const row = [...series.requests.columns.atMs].indexOf(1000);
    expect(measuredKbps(series, row)).toBe(10_000);
  });
  test('an estimate above the scale is named at its edge, once for each time that it gets there', () => {
    const estimate = (atMs: number, estimateKbps: number) =>
      exampleDecision({ id: `d${atMs}`, atMs, estimateKbps });
    const labels = (...events: ReturnType<typeof estimate>[]) =>
      marks('bitrate', 'texts', [rung(500, 2), ...events])[0]!.items.map(({ atMs, text }) => [atMs, text]);
    expect(labels(estimate(1000, 3000))).toEqual([]);
    expect(
      labels(estimate(1000, 370_000), estimate(2000, 300_000), estimate(9000, 100), estimate(12_000, 80_000)),
    ).toEqual([
      [1000, '▲ 370'],
      [12_000, '▲ 80'],
    ]);
    // Two labels in a tenth of the width would overlap.
    expect(labels(estimate(1000, 370_000), estimate(1500, 100), estimate(2000, 300_000))).toHaveLength(1);
  });
  test('a measured throughput above the scale is a hollow dot at its edge', () => {
    const [inside, beyond] = marks('bitrate', 'dots', [
      rung(500, 2),
      request(1000),
      request(3000, { receivedBytes: 50_000 }),
    ]);
    expect([inside!.hollow, beyond!.hollow]).toEqual([false, true]);
    expect([Array.from(inside!.ys), Array.from(beyond!.ys)]).toEqual([[2], [beyond!.ys[0]]]);
    expect(beyond!.ys[0]).toBeLessThan(10);
  });
  test('a failed or hidden request has no dot', () => {
    const failed = request(1000, { outcome: 'network-error' });
    const hidden = request(2000, { firstByteMs: null });
    expect(marks('bitrate', 'dots', [failed, hidden])[0]!.xs).toHaveLength(0);
  });
});

describe('buffer', () => {
  test('a stall is hatched and named with its length', () => {
    const events = [playback(0, 'playing'), stalled(2000, 3900)];
    expect(marks('buffer', 'hatch', events)[0]!.spans).toEqual([{ fromMs: 2000, toMs: 5900 }]);
    expect(marks('buffer', 'texts', events)[0]!.items[0]!.text).toBe('stall 3.9\u00a0s');
  });
  test('a wait that is too short for a stall is neither drawn nor counted', () => {
    const events = [playback(0, 'playing'), stalled(2000, 3900), stalled(9000, MIN_STALL_MS - 1)];
    expect(marks('buffer', 'hatch', events)[0]!.spans).toEqual([{ fromMs: 2000, toMs: 5900 }]);
    expect(marks('buffer', 'texts', events)[0]!.items).toHaveLength(1);
    const { sentence } = CHARTS.find(({ id }) => id === 'buffer')!.build(
      seriesOf(exampleSession(events)),
      VIEW,
    );
    expect(sentence).toContain('1 stall, 4.0 seconds in all');
  });
});

describe('racing', () => {
  const truth = (outcome: string): SessionEvent => ({
    kind: 'transport',
    id: 't',
    atMs: 3000,
    requestId: null,
    source: 'netlog',
    races: [{ outcome, mainDelayMs: null, startMs: 3000, endMs: outcome === 'broken' ? 9000 : null }],
    connectionId: null,
    missing: { requestId: 'not-reported', connectionId: 'not-reported' },
  });
  const words = (events: readonly SessionEvent[]) =>
    marks('racing', 'texts', events).flatMap(({ items }) => items.map(({ text }) => text));
  test('without the browser’s truth the row says so, whatever protocols were seen', () =>
    expect(words([request(0), request(1000, { protocol: 'h2' })])).toContain('unknown: add a NetLog'));
  test.each([
    ['alternativeJobWonRace', 'Q'],
    ['mainJobWonRace', 'T'],
  ])('%s is %s', (outcome, letter) => expect(words([truth(outcome)])).toEqual([letter]));
  const broken = (cause: string | null, endMs: number | null = 9000) => {
    const event = truth('broken') as TransportEvent;
    return { ...event, races: [{ ...event.races[0]!, endMs, cause }] };
  };
  test('a broken Alt-Svc is a band with its words in the middle', () => {
    const [left, right] = marks('racing', 'hatch', [broken(null)])[0]!.spans;
    expect([left!.fromMs, right!.toMs]).toEqual([3000, 9000]);
    expect((left!.toMs + right!.fromMs) / 2).toBeCloseTo(6000);
  });
  test.each([
    ['QUIC_TOO_MANY_RTOS: Network blackhole', 20_000, 'Alt-Svc broken 17\u00a0s: too many rtos'],
    ['QUIC_TOO_MANY_RTOS: Network blackhole', 9000, 'Alt-Svc broken 6\u00a0s: too many rtos'],
    ['QUIC_TOO_MANY_RTOS: Network blackhole', 6500, 'broken: too many rtos'],
    ['ERR_NAME_NOT_RESOLVED', 5300, 'broken 2\u00a0s'],
    [null, 6500, 'broken: cause unknown'],
  ])('%s, broken until %d: "%s"', (cause, endMs, said) =>
    expect(words([broken(cause, endMs)])).toEqual([said]),
  );
  test('a short period has no words, nor one beside another', () => {
    expect(words([broken(null, 3100)])).toEqual([]);
    expect(words([broken(null), broken(null)])).toHaveLength(1);
  });
  const chart = CHARTS.find(({ id }) => id === 'racing')!;
  const readAt = (wanted: string, events: readonly SessionEvent[]) => (ms: number) =>
    chart.readout(seriesOf(exampleSession(events)), ms).find(({ label }) => label === wanted)?.value;
  test('the head says the cause of the moment', () => {
    const at = readAt('broken', [broken('QUIC_TOO_MANY_RTOS: Network blackhole')]);
    expect([2999, 3000, 9000].map(at)).toEqual(['not now', 'too many rtos', 'not now']);
  });
  test('the head says why the last race was run', () => {
    const other = race({ startMs: 4000, outcome: 'alternative-reused' });
    const run = [race({ cause: 'idle-end' }), other, race({ startMs: 5000, cause: 'unknown: no error' })];
    const values = [2999, 3000, 4500, 5000].map(readAt('race', run));
    expect(values).toEqual(['not yet', 'idle-end', 'idle-end', 'unknown']);
    expect(readAt('race', [race({}), other])(4500)).toBeUndefined();
  });
  test('a request that needed no race is a dot, one of a broken period nothing', () => {
    const dots = (outcome: string) =>
      marks('racing', 'dots', [race({ outcome })]).flatMap(({ protocols }) => Array.from(protocols));
    expect(dots('alternative-reused')).toEqual([PROTOCOLS.indexOf('h3')]);
    expect(dots('main-alone')).toEqual([PROTOCOLS.indexOf('h2')]);
    expect([...dots('main-broken'), ...dots('main-won')]).toEqual([]);
    expect(words([race({ outcome: 'alternative-reused' })])).toEqual([]);
    expect(words([race({ outcome: 'alternative-reused', netError: -356 })])).toEqual(['×']);
  });
  const race = (
    changes: Partial<TransportEvent['races'][number]>,
    source: TransportEvent['source'] = 'netlog',
  ) =>
    ({
      ...truth(''),
      requestId: 'r2',
      source,
      races: [{ outcome: 'main-won', mainDelayMs: null, startMs: 3000, endMs: 3100, ...changes }],
      missing: { connectionId: 'not-reported' },
    }) as SessionEvent;
  const cars = (changes: Partial<TransportEvent['races'][number]>) =>
    marks('racing', 'spans', [race(changes)]).flatMap(({ fromMs, toMs, looks }) =>
      Array.from(fromMs, (from, index) => [from, toMs[index], LOOKS[looks[index]!]]),
    );
  test.each<[string, Partial<TransportEvent['races'][number]>, unknown[]]>([
    ['TCP waits until it is let go', { mainDelayMs: 300, mainResumedMs: 3300 }, [[3000, 3300, 'phases']]],
    ['or until QUIC has won', { mainDelayMs: 300, outcome: 'alternative-won' }, [[3000, 3100, 'phases']]],
    ['no wait is none', { mainDelayMs: 0 }, []],
    ['the loser goes on after the race', { orphanEndMs: 7000 }, [[3100, 7000, 'running']]],
    ['but nothing is drawn later than now', { orphanEndMs: 90_000 }, [[3100, 20_000, 'running']]],
  ])('%s', (_what, changes, expected) => expect(cars(changes)).toEqual(expected));
  test('what died under its request is a ×, also beside many that went well', () => {
    const well = Array.from({ length: 40 }, (_, index) => race({ startMs: 2000 + index * 50 }));
    expect(words([...well, race({ startMs: 3010, netError: -356 })])).toContain('×');
    expect(words([race({ netError: -3 })])).toEqual(['T']);
    expect(words([race({ outcome: 'failed', netError: -105 })])).toEqual(['×']);
  });
  test('a NetLog replaces DevTools', () => {
    const devTools = race({ outcome: 'alternativeJobWonRace', startMs: 9000 }, 'devtools');
    expect(words([devTools])).toEqual(['Q']);
    expect(words([devTools, race({})])).toEqual(['T']);
  });
  test('the sentence tells the cause of a broken Alt-Svc', () => {
    const cause = 'QUIC_TOO_MANY_RTOS: Network blackhole detected';
    const events = [broken(cause, null)];
    const { sentence } = chart.build(seriesOf(exampleSession(events)), VIEW);
    expect(sentence).toContain(`Alt-Svc broken from 0:03 to the end (${cause}).`);
    const often = Array.from({ length: 5 }, () => events[0]!);
    expect(chart.build(seriesOf(exampleSession(often)), VIEW).sentence).toMatch(/And 2 times more\.$/);
  });
  test('▲ where the protocol of the video changed', () => {
    const events = [request(1000), request(4000, { protocol: 'h2' }), request(8000, { protocol: 'h2' })];
    expect(Array.from(marks('racing', 'flags', events)[0]!.xs)).toEqual([4000]);
  });
  test('bars of a window are stacked in the order http/1.1, h2, unknown, h3', () => {
    const [bars] = marks('racing', 'bars', [request(100), request(500, { protocol: 'h2' })]);
    expect(Array.from(bars!.protocols)).toEqual([1, 3]);
    expect(Array.from(bars!.base)).toEqual([0, 0.25]);
    expect(Array.from(bars!.top)).toEqual([0.25, 0.5]);
  });
});

describe('requests', () => {
  const look = (changes: Partial<RequestEvent>) => {
    const [spans] = marks('requests', 'spans', [request(5000, changes)]);
    return LOOKS[spans!.looks[Array.from(spans!.fromMs).indexOf(5000)]!];
  };
  test.each([
    [{}, 'phases'],
    [{ firstByteMs: null }, 'unknown'],
    [{ outcome: 'http-error' }, 'failed'],
    [{ outcome: 'aborted' }, 'aborted'],
    [{ outcome: 'aborted', firstByteMs: null }, 'aborted'],
    [{ outcome: 'timeout' }, 'failed'],
    [{ outcome: 'in-flight', endMs: null, lastByteMs: null, firstByteMs: null }, 'running'],
  ] as const)('%j looks %s', (changes, expected) => expect(look(changes)).toBe(expected));
  test('neighbours take turns, and a click finds the bar it hits', () => {
    const series = seriesOf(exampleSession([request(1000, { id: 'a', segment: 6 })]));
    const id = series.ids[series.requests.columns.ref[1]!];
    const y = rowMiddlePx(rowFor(VIDEO, 6));
    const pickAt = (atMs: number, at: number) =>
      CHARTS.find((chart) => chart.id === 'requests')!.pick!(series, { atMs, y: at, msPerPx: 10 })?.id ??
      null;
    expect(rowFor(VIDEO, 6)).not.toBe(rowFor(VIDEO, 7));
    expect(pickAt(1200, y)).toBe(id);
    expect(pickAt(1200, y + 16)).toBeNull();
    expect(pickAt(1400, y)).toBeNull();
  });
});

describe('decisions', () => {
  const vote = (rule: string, at: number | null, asked = true) => ({ rule, rung: at, because: '', asked });
  const decision = exampleDecision({
    atMs: 1000,
    rule: 'bola',
    rung: 2,
    votes: [vote('bola', 2), vote('throughput', 1), vote('sara', null, false)],
  });
  test('a row per rule: the winner filled, a vote outlined, who was not asked a dot; rungs from 1', () => {
    const [cells] = marks('decisions', 'cells', [decision]);
    expect(Array.from(cells!.looks, (look) => CELL_LOOKS[look])).toEqual(['decided', 'voted', 'not-asked']);
    expect(Array.from(cells!.numbers)).toEqual([3, 2, NaN]);
  });
  test('the one in force, before and after', () => {
    const series = seriesOf(exampleSession([decision, exampleDecision({ atMs: 3000 })]));
    expect(decisionPick(series, 500)).toBeNull();
    expect(decisionPick(series, 2999)?.atMs).toBe(1000);
    expect(decisionBeside(series, 1000, 1)?.atMs).toBe(3000);
    expect(decisionBeside(series, 1000, -1)).toBeNull();
    expect(requestPick(series, 9000)).toBeNull();
  });
  test.each([
    ['ThroughputRule', 'DTH', 'dash.js throughput', 'rule-thr'],
    ['dashjs-bola', 'DBO', 'dash.js BOLA', 'rule-bol'],
    ['throughput', 'THR', 'throughput', 'rule-thr'],
    ['bola', 'BOL', 'BOLA', 'rule-bol'],
    ['bola-e', 'BOE', 'BOLA-E', 'rule-bol'],
    ['bba-2', 'BB2', 'BBA-2', 'rule-bba'],
    ['mpc-robust', 'MRO', 'MPC-robust', 'rule-mpc'],
    ['my-own', 'MOW', 'my-own', 'rule-dyn'],
    ['<>', '???', '<>', 'rule-dyn'],
    ['constructor', 'CON', 'constructor', 'rule-dyn'],
  ])('%s is written %s, "%s" in %s', (rule, code, label, tone) =>
    expect(ruleLook(rule)).toEqual({ code, label, tone }),
  );
  test.each([
    ['ThroughputRule', 'rate'],
    ['SwitchHistoryRule', 'history'],
    ['bola-e', 'BOLA-E'],
    ['mpc-robust', 'MRO'],
    ['constructor', 'CON'],
  ])('%s is "%s" where there is little room', (rule, name) => expect(shortNameOf(rule)).toBe(name));
});

describe('the strip of the whole session', () => {
  test('runs of one protocol join; a failure stands apart', () => {
    const events = [
      request(0),
      request(1000),
      request(2000, { outcome: 'timeout', protocol: null }),
      request(3000, { protocol: 'h2' }),
    ];
    const [spans] = protocolStrip(seriesOf(exampleSession(events)), VIEW).marks;
    if (spans?.kind !== 'spans') throw new Error('no spans');
    expect(Array.from(spans.fromMs)).toEqual([0, 2000, 3000]);
    expect(Array.from(spans.toMs)).toEqual([2000, 3000, 3300]);
    expect(Array.from(spans.looks, (look) => LOOKS[look])).toEqual(['phases', 'failed', 'phases']);
  });
});

test('a request that the player aborted is none of the failures of the strip', () => {
  const events = [request(0), request(1000, { outcome: 'aborted' }), request(2000)];
  const [spans] = protocolStrip(seriesOf(exampleSession(events)), VIEW).marks;
  if (spans?.kind !== 'spans') throw new Error('no spans');
  expect(Array.from(spans.looks, (look) => LOOKS[look])).toEqual(['phases', 'aborted', 'phases']);
});

test('the crosshair says a moment in words', () => {
  const series = seriesOf(exampleSession([rung(500, 1), request(1000), exampleDecision({ atMs: 900 })]));
  expect(formatCursor(series, 1500)).toBe(
    '0:02. Rendered 1.00 megabit per second, buffer unknown, protocol h3. Level 2 chosen by dash.js throughput.',
  );
  expect(formatCursor(series, 0)).toBe('0:00. Nothing rendered yet, buffer unknown, protocol no request.');
});

describe('window and RTT', () => {
  const tells = (atMs: number, lost: number, cwnd: string | null = '50000') =>
    request(atMs, {
      serverTiming: [
        { name: 'rtt', durationMs: 40, description: '' },
        { name: 'lost', durationMs: 0, description: String(lost) },
        { name: 'connection', durationMs: 0, description: '1' },
        ...(cwnd === null ? [] : [{ name: 'cwnd', durationMs: 0, description: cwnd }]),
      ],
    });
  const chart = CHARTS.find(({ id }) => id === 'transport')!;
  const built = (events: readonly SessionEvent[]) => chart.build(seriesOf(exampleSession(events)), VIEW);
  test('a session whose servers tell nothing has no such lane', () => {
    expect(chart.hasData!(seriesOf(exampleSession([request(0)])))).toBe(false);
    expect(chart.hasData!(seriesOf(exampleSession([tells(0, 0)])))).toBe(true);
  });
  test('the window is a step in kB on the left, the round trip dashed in ms on the right', () => {
    const [window, rtt] = marks('transport', 'line', [tells(1000, 0), tells(3000, 0, '80000')]);
    expect(window).toMatchObject({
      axis: 'left',
      step: true,
      tone: 'protocol-h3',
      xs: [1100, 3100],
      ys: [50, 80],
    });
    expect(rtt).toMatchObject({ axis: 'right', xs: [1100, 3100], ys: [40, 40] });
    expect(rtt!.dash).not.toEqual([]);
    const { left, right } = built([tells(1000, 0), tells(3000, 0, '80000')]);
    expect([left, right!].map(({ ticks }) => ticks.at(-1)!.label)).toEqual(['100\u00a0kB', '40\u00a0ms']);
  });
  test('a × where more was lost than before, not for what was lost before the first response', () => {
    const items = marks('transport', 'texts', [tells(1000, 5), tells(2000, 5), tells(3000, 9)])[0]!.items;
    expect(items.map(({ atMs, text }) => [atMs, text])).toEqual([[3100, '×']]);
  });
  test('round trips alone (CMSD) take the left axis', () => {
    const lane = built([tells(1000, 0, null)]);
    expect(lane.right).toBeNull();
    expect(lane.left.ticks.at(-1)?.label).toMatch(/ms$/);
  });
  test('the moment in words, with units', () => {
    const series = seriesOf(exampleSession([tells(1000, 5)]));
    expect(chart.readout(series, 5000).map(({ value }) => value)).toEqual(['50 kB', '40.0 ms', '5']);
    expect(chart.readout(series, 0).map(({ value }) => value)).toEqual(['unknown', 'unknown', 'unknown']);
    expect(built([tells(1000, 5)]).sentence).toContain('Server-Timing');
  });
});
