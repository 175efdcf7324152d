import { describe, expect, it } from 'vitest';
import type { Answer, Moment, RuleContext } from '../rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../testMoments.testing.ts';
import { sara } from './sara.ts';

const ladder = ladderOf(300, 750, 1200, 1850, 2850, 4300);
/** 1, 2, 4, 8, 16 and 32 s to download at the 1000 kbit/s that is measured. */
const SIZES = [125_000, 250_000, 500_000, 1_000_000, 2_000_000, 4_000_000];
const known: Partial<RuleContext> = {
  sizeBytes: (_, rung) => SIZES[rung] ?? null,
  sizesFrom: () => 'table' as const,
};

const answerAt = (moment: Partial<Moment>, context = known): Answer =>
  sara.decide(
    sara.observe(sara.start(contextOf(ladder, context)), downloadOf(1000)),
    momentOf({ bufferMs: 16_000, ...moment }),
  );
const reasonOf = ({ because }: Answer): string => (typeof because === 'string' ? because : because());

describe('SARA', () => {
  it.each([
    { name: 'at I', bufferMs: 8000, lastRung: 4, rung: 0, phase: 'fast start' },
    {
      name: 'what lasts 8 s in 7.9 s to spare',
      bufferMs: 15_900,
      lastRung: 3,
      rung: 2,
      phase: 'falling back',
    },
    { name: 'to what fits, not one down', bufferMs: 11_500, lastRung: 4, rung: 1, phase: 'falling back' },
    { name: 'nothing fits', bufferMs: 8500, lastRung: 5, rung: 0, phase: 'falling back' },
    { name: 'at the lowest already', bufferMs: 8500, lastRung: 0, rung: 0, phase: 'falling back' },
    { name: 'one up', bufferMs: 20_000, lastRung: 1, rung: 2, phase: 'additive increase' },
    { name: 'the next lasts too long', bufferMs: 16_000, lastRung: 2, rung: 2, phase: 'additive increase' },
    { name: 'as high as fits', bufferMs: 20_001, lastRung: 0, rung: 3, phase: 'aggressive switching' },
    { name: 'never down in it', bufferMs: 22_000, lastRung: 3, rung: 3, phase: 'aggressive switching' },
    { name: 'at B_β', bufferMs: 40_000, lastRung: 0, rung: 4, phase: 'aggressive switching' },
    { name: 'B − B_α, not B − I', bufferMs: 40_001, lastRung: 0, rung: 4, phase: 'delayed download' },
    { name: '32 s in 32.5', bufferMs: 52_500, lastRung: 0, rung: 5, phase: 'delayed download' },
    { name: 'not 32 s in 31.5', bufferMs: 51_500, lastRung: 0, rung: 4, phase: 'delayed download' },
    { name: 'a rung beyond the ladder', bufferMs: 60_000, lastRung: 9, rung: 5, phase: 'delayed download' },
  ])('$phase, $name: rung $rung', ({ bufferMs, lastRung, rung, phase }) => {
    const answer = answerAt({ bufferMs, lastRung });
    expect(answer.rung).toBe(rung);
    expect(reasonOf(answer)).toContain(`SARA is in ${phase}`);
    expect(answer.holdUntilBufferMs).toBe(phase === 'delayed download' ? 40_000 : undefined);
  });

  it('starts at the lowest until something is measured', () => {
    const answer = sara.decide(sara.start(contextOf(ladder, known)), momentOf({ bufferMs: 60_000 }));
    expect(answer.rung).toBe(0);
    expect(answer.values?.['takesMs']).toBeNull();
    expect(reasonOf(answer)).toContain('at an unknown rate');
  });

  it('assumes bitrate × duration where sizes are not known, and says so', () => {
    const answer = answerAt({ bufferMs: 20_000, lastRung: 1 }, {});
    expect(answer.values?.['takesMs']).toBe(4800);
    expect(reasonOf(answer)).toBe(
      'SARA is in additive increase with 20.0 s of buffer: level 3 of 6 (1.20 Mbit/s) would take 4.8 s to download (sizes not known: bitrate × duration assumed).',
    );
    expect(reasonOf(answerAt({ bufferMs: 20_000, lastRung: 1 }))).not.toContain('assumed');
  });

  it('uses the size of the very segment that comes next', () => {
    const growing: Partial<RuleContext> = {
      sizeBytes: (segment, rung) => SIZES[rung]! * (segment === 7 ? 4 : 1),
    };
    expect(answerAt({ bufferMs: 40_000, segment: 6 }, growing).rung).toBe(4);
    expect(answerAt({ bufferMs: 40_000, segment: 7 }, growing).rung).toBe(2);
  });

  it('remembers all history, weighted by size', () => {
    let state = sara.start(contextOf(ladder, known));
    for (let segment = 0; segment < 1000; segment += 1) state = sara.observe(state, downloadOf(3000));
    for (let segment = 0; segment < 1000; segment += 1) state = sara.observe(state, downloadOf(1000));
    expect(sara.decide(state, momentOf()).values?.['estimateKbps']).toBe(2000);
  });

  it('continues in a new ladder and keeps the table of sizes that its runner refills', () => {
    let state = sara.observe(sara.start(contextOf(ladder)), downloadOf(1000));
    state = sara.observe(state, { kind: 'ladder', atMs: 0, ladder: ladderOf(500, 900), segmentMs: 2000 });
    expect(sara.decide(state, momentOf({ bufferMs: 40_000 })).values?.['takesMs']).toBe(1800);
  });

  it.each([{ initialMs: -1 }, { initialMs: 30_000 }, { betaMs: 10_000 }])('cannot run with %o', (changes) => {
    expect(() => sara.tuned!(changes)).toThrow('sara needs 0 ≤ initialMs ≤ alphaMs ≤ betaMs');
  });
});
