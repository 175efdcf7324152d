import { describe, expect, it } from 'vitest';
import type { Answer, Moment, RuleEvent } from '../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { festive, hashToUnit } from './festive.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);

/** One download per rung in the list, four seconds apart, ending at 60 s; all at `rateKbps`. */
const played = (rungs: readonly number[], rateKbps: number): RuleEvent[] =>
  rungs.map((rung, index) => {
    const startMs = 60_000 - (rungs.length - index) * 4000;
    return downloadOf(rateKbps, { rung, startMs, lastByteMs: startMs + 1000 });
  });
const answerTo = (events: readonly RuleEvent[], moment: Partial<Moment> = {}, seed = 1): Answer =>
  festive.decide(
    events.reduce(
      (state, event) => festive.observe(state, event),
      festive.start(contextOf(ladder, { seed })),
    ),
    momentOf({ nowMs: 60_000, bufferMs: 4000, lastRung: null, ...moment }),
  );
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

describe('FESTIVE', () => {
  it.each([
    { name: 'level 1 lasts one segment', rungs: [0], rate: 9000, rung: 1 },
    { name: 'level 2 lasts two: not yet', rungs: [0, 1], rate: 9000, rung: 1 },
    { name: 'level 2 lasts two: now', rungs: [0, 1, 1], rate: 9000, rung: 2 },
    { name: 'level 4 lasts four: not yet', rungs: [3, 3, 3], rate: 9000, rung: 3 },
    { name: 'level 4 lasts four: now', rungs: [3, 3, 3, 3], rate: 9000, rung: 4 },
    { name: 'nothing above the top', rungs: [5, 5, 5, 5, 5, 5, 5], rate: 90_000, rung: 5 },
    { name: '0.85 of the rate does not carry the next', rungs: [1, 1], rate: 1400, rung: 1 },
    { name: '0.85 of the rate carries the next', rungs: [1, 1], rate: 1420, rung: 2 },
    { name: 'down at once, but one step', rungs: [5, 5], rate: 400, rung: 4 },
    { name: 'nothing below the lowest', rungs: [0, 0], rate: 10, rung: 0 },
    {
      name: 'a step up after three switches in 20 s is not worth it',
      rungs: [1, 0, 1, 0],
      rate: 900,
      rung: 0,
    },
  ])('$name: $rungs at $rate kbit/s gives $rung', ({ rungs, rate, rung }) => {
    expect(answerTo(played(rungs, rate)).rung).toBe(rung);
  });

  it('scores a switch 2^(n+1) − 2^n dearer, and forgets switches after 20 s', () => {
    const events = played([1, 0, 1, 0], 900);
    const now = answerTo(events);
    // c = 0, reference 1: 12 × |300/750 − 1| = 7.2 is gained, 2^4 − 2^3 = 8 is paid.
    expect(now.values).toMatchObject({ switches: 3, scoreReference: 16 });
    expect(now.values?.['scoreNow']).toBeCloseTo(8 + 7.2, 9);
    expect(reasonOf(now)).toContain('a step up is not worth a switch after 3 switches in 20.0 s');
    const later = answerTo(events, { nowMs: 80_000 });
    expect(later.values?.['switches']).toBe(0);
    expect(later.rung).toBe(1);
    expect(reasonOf(later)).toContain('one step up after 0 switches');
  });

  it('takes the harmonic mean of the last 20, or of those there are', () => {
    expect(answerTo([downloadOf(1000), downloadOf(3000)]).values?.['estimateKbps']).toBe(1500);
    const many = [
      ...played(new Array<number>(30).fill(0), 100),
      ...played(new Array<number>(20).fill(0), 700),
    ];
    expect(answerTo(many).values?.['estimateKbps']).toBeCloseTo(700, 9);
    expect(reasonOf(answerTo([]))).toContain('No download measured yet');
  });

  it('holds a request until the buffer is at a level drawn per segment and seed', () => {
    const holdAfter = (segments: number, seed: number): number | undefined =>
      answerTo(played(new Array<number>(segments).fill(0), 900), { bufferMs: 20_000 }, seed)
        .holdUntilBufferMs;
    const levels = Array.from({ length: 50 }, (_, index) => holdAfter(index + 1, 1) ?? NaN);
    // Target 20 s, Δ 4 s: (12 s, 20 s].
    expect(Math.min(...levels)).toBeGreaterThanOrEqual(12_000);
    expect(Math.max(...levels)).toBeLessThanOrEqual(20_000);
    expect(Math.max(...levels) - Math.min(...levels)).toBeGreaterThan(6000);
    expect(holdAfter(3, 1)).toBe(holdAfter(3, 1));
    expect(holdAfter(3, 2)).not.toBe(holdAfter(3, 1));
  });

  it('asked again at that level holds no longer, and chooses the same', () => {
    const events = played([0, 1, 1], 9000);
    const held = answerTo(events, { bufferMs: 20_000 });
    const again = answerTo(events, { bufferMs: held.holdUntilBufferMs! });
    expect(again.holdUntilBufferMs).toBeUndefined();
    expect(again.rung).toBe(held.rung);
  });

  it('never waits until less than a segment is left', () => {
    for (let segments = 1; segments < 30; segments += 1) {
      const events = played(new Array<number>(segments).fill(0), 900);
      const held = answerTo(events, { bufferMs: 6000, bufferTargetMs: 6000 }).holdUntilBufferMs ?? 6000;
      expect(held).toBeGreaterThanOrEqual(4000);
    }
  });

  it('begins to count anew in another ladder, and does not count what was abandoned', () => {
    const other = { kind: 'ladder' as const, atMs: 0, ladder: ladderOf(300, 750), segmentMs: 2000 };
    expect(answerTo([...played([0, 0], 9000), other], { lastRung: 0 }).values?.['run']).toBe(0);
    const abandoned = downloadOf(9000, { rung: 1, aborted: true });
    expect(answerTo([...played([0, 0], 9000), abandoned]).values?.['run']).toBe(2);
  });

  it.each([
    { samples: 0 },
    { safetyFactor: 0 },
    { alpha: -1 },
    { switchWindowMs: -1 },
    { spreadSegments: -1 },
  ])('cannot run with %o', (changes) => {
    expect(() => festive.tuned!(changes)).toThrow(/^The parameters? .* of festive must be .*\.$/);
  });
});

const draws = (seed: number, count: number): number[] =>
  Array.from({ length: count }, (_, index) => hashToUnit(seed, index));

describe('a number that looks random', () => {
  it('is the same each time, and another for another seed or count', () => {
    expect(hashToUnit(7, 3)).toBe(hashToUnit(7, 3));
    expect(new Set([...draws(1, 100), ...draws(2, 100)]).size).toBe(200);
  });

  it.each([0, 1, 2, -1, 4_000_000_000])('fills [0, 1) evenly for seed %s', (seed) => {
    const tenths = new Array<number>(10).fill(0);
    for (const draw of draws(seed, 10_000)) tenths[Math.floor(draw * 10)]! += 1;
    // 1000 each; the standard deviation of a fair one is 30.
    expect(Math.min(...tenths)).toBeGreaterThan(850);
    expect(Math.max(...tenths)).toBeLessThan(1150);
  });

  it('does not follow from the draw before', () => {
    const list = draws(1, 10_000);
    const product = list.slice(1).reduce((sum, draw, index) => sum + (draw - 0.5) * (list[index]! - 0.5), 0);
    expect(Math.abs((product / list.length) * 12)).toBeLessThan(0.05);
  });
});
