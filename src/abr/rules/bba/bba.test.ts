import { describe, expect, it } from 'vitest';
import type { Answer, DownloadEvent, Moment, Rule, RuleContext, RuleEvent } from '../../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { bba0, bba1, bba2 } from './bba.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

interface Story {
  readonly context?: Partial<RuleContext>;
  readonly events?: readonly RuleEvent[];
  readonly moment?: Partial<Moment>;
}

function ask<State>(rule: Rule<State>, { context = {}, events = [], moment = {} }: Story): Answer {
  const start = rule.start(contextOf(ladder, context));
  const state = events.reduce((before, event) => rule.observe(before, event), start);
  return rule.decide(state, momentOf({ bufferTargetMs: 60_000, ...moment }));
}
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

/** A segment that took this long, of 4 s. */
const took = (ms: number, over: Partial<DownloadEvent> = {}): DownloadEvent =>
  downloadOf(1000, { startMs: 0, lastByteMs: ms, segment: null, ...over });

describe('BBA-0', () => {
  // The map runs from 300 kbit/s at 8 s to 4300 kbit/s at 54 s: 86.96 kbit/s a second.
  it.each([
    { bufferS: 0, lastRung: 5, rung: 0, why: 'empty' },
    { bufferS: 8, lastRung: 5, rung: 0, why: 'the end of the reservoir' },
    { bufferS: 13.1, lastRung: 0, rung: 0, why: 'just below 750' },
    { bufferS: 13.2, lastRung: 0, rung: 1, why: 'just above 750' },
    { bufferS: 30, lastRung: 0, rung: 3, why: 'up: the highest below 2213' },
    { bufferS: 30, lastRung: 3, rung: 3, why: 'between its neighbours: stays' },
    { bufferS: 30, lastRung: 4, rung: 4, why: 'above the rung below: stays, where a plain map would drop' },
    { bufferS: 30, lastRung: 5, rung: 4, why: 'below the rung below: the lowest above 2213' },
    { bufferS: 54, lastRung: 0, rung: 5, why: 'the end of the cushion' },
    { bufferS: 30, lastRung: null, rung: 3, why: 'no rung before counts as the lowest' },
  ])('$bufferS s after rung $lastRung: $rung, $why', ({ bufferS, lastRung, rung }) => {
    expect(ask(bba0, { moment: { bufferMs: bufferS * 1000, lastRung } }).rung).toBe(rung);
  });

  it('reaches the top where the player stops filling at 20 s', () => {
    expect(ask(bba0, { moment: { bufferMs: 14_500, bufferTargetMs: 20_000 } }).rung).toBe(5);
  });

  it('can be the paper’s own 240 s', () => {
    const paper = bba0.tuned?.({ bufferMaxMs: 240_000, reservoirMs: 90_000 }) as typeof bba0;
    const values = ask(paper, { moment: { bufferMs: 153_000, bufferTargetMs: 240_000 } }).values;
    expect(values).toEqual({ mapKbps: 2300, reservoirMs: 90_000, cushionEndMs: 216_000 });
  });

  it('refuses a buffer of nothing', () => {
    expect(() => bba0.tuned?.({ bufferMaxMs: 0 })).toThrow(
      'The parameter bufferMaxMs of bba-0 must be above 0, not 0.',
    );
  });

  it('says where on the map the buffer is', () => {
    const at = (bufferMs: number) => reasonOf(ask(bba0, { moment: { bufferMs } }));
    expect(at(5000)).toBe(
      'The buffer of 5.0 s is within the reservoir of 8.0 s, so level 1 of 6 (0.30 Mbit/s).',
    );
    expect(at(60_000)).toBe(
      'The buffer of 60.0 s is past the end of the cushion at 54.0 s, so level 6 of 6 (4.30 Mbit/s).',
    );
    expect(at(30_000)).toBe(
      'The buffer of 30.0 s maps to 2.21 Mbit/s; against the bitrates one level up and down that gives level 4 of 6 (1.85 Mbit/s).',
    );
  });
});

const nominal = (rung: number): number => ((ladder[rung]?.bitrateKbps ?? 0) * 4000) / 8;
const table = (factor: (segment: number, rung: number) => number): Partial<RuleContext> => ({
  sizeBytes: (segment, rung) => nominal(rung) * factor(segment, rung),
  sizesFrom: () => 'table',
});

describe('BBA-1', () => {
  it('is BBA-0 when no size is known, and says so', () => {
    for (let bufferMs = 0; bufferMs <= 60_000; bufferMs += 500)
      for (let lastRung = 0; lastRung < 6; lastRung += 1)
        expect(ask(bba1, { moment: { bufferMs, lastRung } }).rung).toBe(
          ask(bba0, { moment: { bufferMs, lastRung } }).rung,
        );
    expect(reasonOf(ask(bba1, { moment: { bufferMs: 30_000 } }))).toContain('sizes not known');
  });

  it.each([
    { name: 'a small next segment is taken one rung up', factor: 0.7, lastRung: 3, rung: 4 },
    { name: 'a large one is not', factor: 2, lastRung: 3, rung: 2 },
  ])('$name', ({ factor, lastRung, rung }) => {
    const context = table((segment) => (segment === 14 ? factor : 1));
    expect(ask(bba1, { context, moment: { bufferMs: 30_000, lastRung } }).rung).toBe(rung);
  });

  it('keeps as much in reserve as the segments ahead cost more than they play', () => {
    const reservoir = (factor: number) => ask(bba1, { context: table(() => factor) }).values?.['reservoirMs'];
    expect([0.5, 1, 1.1, 1.2, 2].map((factor) => Math.round(reservoir(factor) ?? 0))).toEqual([
      8000, 8000, 12_000, 24_000, 35_000,
    ]);
  });

  it('learns sizes that arrive during play', () => {
    const known = new Map<number, number>();
    const context = { sizeBytes: (segment: number) => known.get(segment) ?? null };
    const state = bba1.start(contextOf(ladder, context));
    const heavy = Array.from({ length: 40 }, () => 2 * nominal(0));
    heavy.forEach((bytes, segment) => known.set(segment, bytes));
    const reported = bba1.observe(state, {
      kind: 'sizes',
      atMs: 0,
      from: 'sidx',
      rung: 0,
      firstSegment: 0,
      sizesBytes: heavy,
    });
    const moment = momentOf({ bufferTargetMs: 60_000, segment: 0 });
    expect(bba1.decide(state, moment).values?.['reservoirMs']).toBe(8000);
    expect(bba1.decide(reported, moment).values?.['reservoirMs']).toBe(35_000);
  });

  it('gives the same whether it moved along with the downloads or was asked out of order', () => {
    const context = table((segment) => 1 + (segment % 7) / 20);
    const events = Array.from({ length: 14 }, (_, segment) => took(1000, { segment }));
    expect(ask(bba1, { context, events }).values).toEqual(ask(bba1, { context }).values);
  });

  it('keeps the sum in step with jumps, other media and abandoned downloads', () => {
    const context = table((segment) => 1 + (segment % 7) / 20);
    const events = [
      took(1000, { segment: 3 }),
      took(1000, { segment: 13 }),
      took(1000, { segment: 20, mediaType: 'audio' }),
      took(1000, { segment: 14, aborted: true }),
    ];
    expect(ask(bba1, { context, events }).values).toEqual(ask(bba1, { context }).values);
  });
});

describe('BBA-2', () => {
  const low = { bufferMs: 4000, lastRung: 1 };
  it.each([
    { name: 'starts on the lowest rung', events: [], moment: low, rung: 0 },
    {
      name: 'goes one up after a segment at eight times real time',
      events: [took(400)],
      moment: low,
      rung: 2,
    },
    { name: 'stays after one at five times', events: [took(800)], moment: low, rung: 1 },
    { name: 'ends when the buffer shrinks: the map counts', events: [took(4100)], moment: low, rung: 0 },
    { name: 'for good', events: [took(4100), took(100)], moment: low, rung: 0 },
    {
      name: 'until a seek',
      events: [took(4100), { kind: 'seek', atMs: 0, toMs: 0 }, took(400)],
      moment: low,
      rung: 2,
    },
    {
      name: 'asks for less as the buffer fills',
      events: Array.from({ length: 8 }, () => took(1000)),
      moment: low,
      rung: 2,
    },
    {
      name: 'takes the map where it asks for more',
      events: [took(800)],
      moment: { bufferMs: 30_000, lastRung: 1 },
      rung: 3,
    },
    {
      name: 'ends when that happened',
      events: [took(800, { rung: 1 }), took(300, { rung: 3 })],
      moment: low,
      rung: 0,
    },
    {
      name: 'does not end by its own step',
      events: [took(300, { rung: 1 }), took(300, { rung: 2 })],
      moment: low,
      rung: 2,
    },
    {
      name: 'ends with an abandoned segment',
      events: [took(300, { aborted: true }), took(300)],
      moment: low,
      rung: 0,
    },
    {
      name: 'ignores audio',
      events: [took(4100, { mediaType: 'audio' }), took(400)],
      moment: low,
      rung: 2,
    },
    {
      name: 'does not end with the ladder that it begins with',
      events: [{ kind: 'ladder', atMs: 0, ladder, segmentMs: 4000 }, took(400)],
      moment: low,
      rung: 2,
    },
    {
      name: 'ends with a new ladder',
      events: [took(400), { kind: 'ladder', atMs: 0, ladder, segmentMs: 4000 }],
      moment: low,
      rung: 0,
    },
    {
      name: 'goes no higher than the top',
      events: [took(400)],
      moment: { bufferMs: 4000, lastRung: 5 },
      rung: 5,
    },
  ] satisfies { name: string; events: RuleEvent[]; moment: Partial<Moment>; rung: number }[])(
    '$name: rung $rung',
    ({ events, moment, rung }) => {
      expect(ask(bba2, { events, moment }).rung).toBe(rung);
    },
  );

  it('says when it is the start-up that chose', () => {
    expect(reasonOf(ask(bba2, { events: [took(400)], moment: low }))).toBe(
      'Start-up: the last segment gained 90 % of its length in buffer, enough for one level up, so level 3 of 6 (1.20 Mbit/s).',
    );
    expect(reasonOf(ask(bba2, { moment: low }))).toBe(
      'Start-up: no segment is loaded yet, so level 1 of 6 (0.30 Mbit/s).',
    );
  });
});
