import { describe, expect, test } from 'vitest';
import { alignedTime, ALIGNMENTS, type Alignment } from '../../analysis/comparison/alignedTime.ts';
import {
  choice,
  exampleDay,
  exampleSession,
  level,
  playback,
  rung,
  stalled,
} from '../../analysis/timeline/example.testing.ts';
import { createSeries, type SessionSeries } from '../../analysis/timeline/series.ts';
import { seriesOf } from '../../analysis/timeline/appendEvent.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { exampleLog } from '../../telemetry/exampleLog.testing.ts';
import { axisFaults, markFaults } from '../checkLane.testing.ts';
import type { View } from '../chart.ts';
import type { Mark } from '../marks/mark.ts';
import type { Comparison } from './compareLane.ts';
import { COMPARE_LANES } from './registry.ts';
import { sessionLooks } from './sessionLooks.ts';

const eventful = seriesOf(
  exampleSession([
    playback(0, 'play-requested'),
    playback(1000, 'playing'),
    rung(1000, 0),
    level(1500, 4000),
    playback(5000, 'waiting'),
    stalled(5000, 3000),
    playback(8000, 'playing'),
    rung(9000, 2),
    level(9500, 6000),
    playback(20_000, 'stopped'),
  ]),
);
/** Away at 6 s, which is 4 s of playback, and back at 15 s. */
const steered = seriesOf(
  exampleSession([
    ...[playback(0, 'play-requested'), playback(1000, 'playing'), choice(500, 'main')],
    choice(5500, 'main', { fromPathway: 'main', probe: { pathway: 'tcp', bytes: 32_768 } }),
    ...[playback(5000, 'waiting'), stalled(5000, 1000), playback(6000, 'playing')],
    choice(6000, 'tcp', { fromPathway: 'main', rescue: { requestId: 'r1' } }),
    ...[choice(15_000, 'main', { fromPathway: 'tcp' }), playback(20_000, 'stopped')],
  ]),
);
const neverPlayed = seriesOf(exampleSession([playback(0, 'play-requested'), playback(9000, 'stopped')]));
const decided = seriesOf(exampleLog({ segments: 6 }));
const longer = seriesOf({ parts: [], events: [...exampleDay(2000)] });

function comparison(all: readonly SessionSeries[], alignment: Alignment): Comparison {
  const looks = sessionLooks(all.map(() => ({ rule: 'bola', transport: 'h2' })));
  const sessions = all.map((series, place) => ({
    series,
    time: alignedTime(series, alignment),
    look: looks[place]!,
  }));
  const [reference] = sessions;
  return {
    sessions,
    reference: reference!,
    chosen: null,
    pairs: [{ name: null, sessions, reference: reference! }],
    arms: [],
  };
}

/** The same by arm, two in turn. */
function byArm(all: readonly SessionSeries[], alignment: Alignment): Comparison {
  const compared = comparison(all, alignment);
  const { sessions } = compared;
  const looks = sessionLooks(['h2', 'h3-only'].map((transport) => ({ rule: 'bola', transport })));
  const arms = looks.map((look, arm) => ({
    name: look.transport!,
    look,
    sessions: sessions.filter((_, place) => place % 2 === arm),
  }));
  return { ...compared, arms, chosen: sessions[1] ?? null };
}

const view = (toMs: number, fromMs = 0): View => ({
  fromMs,
  toMs,
  nowMs: toMs,
  maxPoints: 900,
  narrow: false,
});
const texts = (marks: readonly Mark[]): string[] =>
  marks.flatMap((mark) => (mark.kind === 'texts' ? mark.items.map(({ text }) => text) : []));
const lane = (id: string) => COMPARE_LANES.find((each) => each.id === id)!;

describe.each(COMPARE_LANES.map((each) => [each.id, each] as const))('%s', (_, each) => {
  test.each(ALIGNMENTS)('by %s time: finite numbers, bounded marks, words for every session', (alignment) => {
    for (const sessions of [
      [createSeries()],
      [eventful, neverPlayed],
      [eventful, decided, longer],
      [steered, eventful],
      Array.from({ length: 20 }, () => eventful),
    ]) {
      const compared = each.saysArm ? byArm(sessions, alignment) : comparison(sessions, alignment);
      for (const shown of [view(21_000), view(9000, 8000), view(80_000_000, 60_000_000)]) {
        const built = each.build(compared, shown);
        expect([
          ...axisFaults('left', built.left),
          ...(built.right ? axisFaults('right', built.right) : []),
        ]).toEqual([]);
        for (const mark of built.marks)
          expect(markFaults(mark, { ...shown, maxPoints: shown.maxPoints * 3 })).toEqual([]);
        expect(built.sentence).not.toMatch(/NaN|undefined|null/);
        expect(built.heightPx).toBeGreaterThan(0);
        for (const session of compared.sessions)
          expect(each.says(session, shown.toMs, compared)).toMatch(/^(?!.*(NaN|undefined|null)).+$/);
        for (const arm of compared.arms)
          expect(each.saysArm!(arm, shown.toMs)).toMatch(/^(?!.*(NaN|undefined|null)).+$/);
      }
    }
  });
});

test('a stall is a moment by playback time and a bar by wall time, with its length', () => {
  const bars = (alignment: Alignment) => {
    const { marks } = lane('stalls').build(comparison([eventful], alignment), view(21_000));
    expect(texts(marks)).toEqual(['3.0\u00a0s']);
    return marks.flatMap((mark) => (mark.kind === 'hatch' ? mark.spans : []));
  };
  const [mark] = bars('playback');
  expect((mark!.fromMs + mark!.toMs) / 2).toBe(4000);
  expect(((mark!.toMs - mark!.fromMs) * 900) / 21_000).toBeCloseTo(6);
  expect(bars('wall')).toEqual([{ fromMs: 5000, toMs: 8000 }]);
});

test('a wait that is too short for a stall is neither drawn nor counted, but is part of the time', () => {
  const waits = seriesOf(
    exampleSession([playback(0, 'playing'), stalled(5000, MIN_STALL_MS - 1), playback(9000, 'stopped')]),
  );
  const { marks, sentence } = lane('stalls').build(comparison([waits], 'playback'), view(21_000));
  expect(texts(marks)).toEqual(['none']);
  expect(sentence).toBe('Stalls: A 0 stalls, 0.1 s.');
});

test('words where a session has nothing to show', () => {
  const compared = comparison([eventful, neverPlayed], 'playback');
  expect(texts(lane('stalls').build(compared, view(21_000)).marks)).toContain('never showed a frame');
  expect(texts(lane('bitrate').build(compared, view(21_000)).marks)).toContain('B: showed no frame');
  expect(texts(lane('buffer').build(compared, view(21_000)).marks)).toContain('B: no buffer was read');
  expect(texts(lane('racing').build(compared, view(21_000)).marks)).toContain('no media was requested');
  expect(texts(lane('decisions').build(compared, view(21_000)).marks)).toContain(
    'the reference recorded no decision',
  );
});

test('of transfers alone, the lanes of a player take no space', () => {
  const log = exampleLog({ segments: 2 });
  const transfer = seriesOf({ ...log, environment: { ...log.environment, transfer: 'objects' } });
  const shown = (all: readonly SessionSeries[]) =>
    COMPARE_LANES.filter(({ hasData }) => hasData?.(comparison(all, 'wall')) !== false).map(({ id }) => id);
  expect(shown([transfer, transfer])).toEqual(['racing']);
  expect(shown([transfer, decided])).toEqual(['bitrate', 'buffer', 'stalls', 'racing', 'decisions']);
  expect(lane('racing').build(comparison([transfer, transfer], 'wall'), view(20_000)).note).toContain(
    'protocol of the downloads',
  );
});

describe('pathways', () => {
  const both = (alignment: Alignment) => comparison([steered, eventful], alignment);
  test('take no space where no session chose one', () => {
    expect(lane('pathways').hasData?.(comparison([eventful], 'wall'))).toBe(false);
    expect(lane('pathways').hasData?.(both('wall'))).toBe(true);
  });
  test.each([
    ['wall', [500, 5500, 6000, 15_000, 20_000]],
    ['playback', [0, 4000, 4000, 13_000, 18_000]],
  ] as const)('by %s time a step up leaves the pathway of the MPD, and a step down returns', (by, times) => {
    const { marks } = lane('pathways').build(both(by), view(20_000));
    const [line] = marks.filter((mark) => mark.kind === 'line');
    expect([...Array.from(line!.xs)]).toEqual(times);
    const [first, probed, left, back, end] = Array.from(line!.ys);
    expect([probed, back, end]).toEqual([first, first, first]);
    expect(left).toBeLessThan(first!);
    expect(texts(marks)).toEqual(['?', '↷', 'no pathway was chosen']);
  });
  test('in words', () => {
    const { sentence } = lane('pathways').build(both('wall'), view(20_000));
    expect(sentence).toBe(
      'Which pathway each session used: A 2 changes, 1 probe, 1 request continued on another pathway; B chose none.',
    );
    const said = (atMs: number) => lane('pathways').says(both('wall').sessions[0]!, atMs, both('wall'));
    expect([said(100), said(5999), said(6000), said(16_000), said(90_000)]).toEqual([
      ...['–', 'main', 'tcp', 'main', 'ended'],
    ]);
  });
});

describe('arms', () => {
  /** A session with one rung until so many ms. */
  const session = (index: 0 | 1 | 2, endMs: number) =>
    seriesOf(exampleSession([playback(0, 'playing'), rung(0, index), playback(endMs, 'stopped')]));
  const all = ([0, 0, 1, 0, 2, 0] as const).map((index, place) => session(index, place < 4 ? 20_000 : 8000));
  const compared = byArm(all, 'wall');
  const { says, saysArm, build } = lane('arm-bitrate');
  const shown = view(20_000);
  test('the median of each, and its quartiles as a closed line with a fill, to where fewer than three are left', () => {
    const lines = build({ ...compared, chosen: null }, shown).marks.filter((mark) => mark.kind === 'line');
    expect(lines.map(({ fill, tone }) => [fill, tone])).toEqual([
      [true, 'protocol-h2'],
      [true, 'protocol-h3'],
      [false, 'protocol-h2'],
      [false, 'protocol-h3'],
    ]);
    const [area, , median] = lines;
    expect([Math.max(...Array.from(area!.xs)), area!.xs.length]).toEqual([7936, 2 * 63 + 1]);
    expect([new Set(Array.from(median!.ys).slice(0, 63)), median!.ys[63]]).toEqual([new Set([1]), NaN]);
    expect([area!.ys[0], area!.ys[63]]).toEqual([2.5, 0.7]);
  });
  test('values of a moment, with how many sessions they are of', () => {
    const [first] = compared.arms;
    expect(saysArm!(first!, 5000)).toBe('1.00\u00a0Mbit/s (0.70 to 2.50), 3 of 3');
    expect(saysArm!(first!, 9000)).toBe('– (2 of 3)');
    expect(says(compared.sessions[4]!, 5000, compared)).toBe('4.00\u00a0Mbit/s');
  });
  test('the chosen session has its line over the bands', () => {
    const last = build({ ...compared, chosen: compared.sessions[4]! }, shown).marks.at(-1)!;
    expect(last).toMatchObject({ kind: 'line', tone: 'ink', xs: [0, 8000], ys: [4, 4] });
  });
  test('of more than four, only the band of the reference is filled', () => {
    const many = Array.from({ length: 5 }, () => compared.arms[1]!);
    const { marks } = build({ ...compared, arms: [...many, compared.arms[0]!], chosen: null }, shown);
    expect(marks.filter((mark) => mark.kind === 'line' && mark.fill)).toHaveLength(1);
  });
});

test('a shorter session ends where it ends', () => {
  const short = seriesOf(exampleSession([playback(0, 'playing'), rung(0, 1), playback(5000, 'stopped')]));
  const { marks } = lane('bitrate').build(comparison([eventful, short], 'wall'), view(21_000));
  const ends = marks.flatMap((mark) => (mark.kind === 'line' ? [mark.xs[mark.xs.length - 1]] : []));
  expect(ends.sort((one, other) => one! - other!)).toEqual([5000, 20_000]);
  expect(
    lane('bitrate').says(
      comparison([eventful, short], 'wall').sessions[0]!,
      12_000,
      comparison([eventful], 'wall'),
    ),
  ).toBe('4.00\u00a0Mbit/s');
});

test('differences of decisions lie above the line of their session, or below', () => {
  const higher = seriesOf({
    ...exampleLog(),
    events: exampleLog({ segments: 6 }).events.map((event) =>
      event.kind === 'decision' && event.segment === 3 ? { ...event, rung: 2 } : event,
    ),
  });
  const { marks, sentence } = lane('decisions').build(comparison([decided, higher], 'wall'), view(21_000));
  const cells = marks.flatMap((mark) => (mark.kind === 'cells' ? [...Array.from(mark.numbers)] : []));
  expect(cells).toEqual([1]);
  expect(sentence).toBe('Where sessions chose another level than A for the same segment: B 1 of 6 segments.');
});
