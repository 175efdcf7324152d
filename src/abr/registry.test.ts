import { describe, expect, it } from 'vitest';
import { faultsOf, pick } from '../registry.ts';
import { abrRules } from './registry.ts';
import type { Answer, MediaType, Moment, Rule, RuleContext, RuleEvent } from './rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from './testMoments.ts';

/** What every rule must satisfy, whatever it is: the contract of `rule.ts` as tests. */

const LADDERS = [
  ladderOf(300),
  ladderOf(300, 300),
  ladderOf(300, 750, 1200, 1850, 2850, 4300),
  ladderOf(...Array.from({ length: 40 }, (_, index) => 100 * (index + 1))),
];
const NULLS: Partial<Moment> = { segment: null, segmentsLeft: null, lastRung: null, liveLatencyMs: null };
const MOMENTS = [
  momentOf(),
  momentOf(NULLS),
  momentOf({ ...NULLS, bufferMs: 0, nowMs: 0, playheadMs: 0 }),
  momentOf({ bufferMs: 1e6, segmentsLeft: 0, lastRung: 0, playbackRate: 0 }),
];

const eventsFor = (context: RuleContext): RuleEvent[] => {
  const top = context.ladder.length - 1;
  return [
    downloadOf(3000, { rung: top }),
    downloadOf(0, { firstByteMs: null, protocol: null, connectionReused: null, segment: null }),
    downloadOf(500, { mediaType: 'audio' }),
    { kind: 'stall', atMs: 3000, durationMs: 1500 },
    { kind: 'seek', atMs: 5000, toMs: 90_000 },
    { kind: 'idle', atMs: 6000, durationMs: 4000 },
    downloadOf(2000, { aborted: true }),
    { kind: 'ladder', atMs: 7000, ladder: context.ladder, segmentMs: 2000 },
    downloadOf(1e6, { startMs: 8000, lastByteMs: 8000.1 }),
  ];
};

const contexts = LADDERS.flatMap((ladder) =>
  (['video', 'audio'] as const satisfies readonly MediaType[]).flatMap((mediaType) => [
    contextOf(ladder, { mediaType }),
    contextOf(ladder, { mediaType, live: true, segmentMs: 0 }),
    contextOf(ladder, {
      mediaType,
      sizeBytes: (_, rung) => (rung + 1) * 100_000,
      sizesFrom: () => 'side-file' as const,
    }),
  ]),
);

function answersOf(rule: Rule, context: RuleContext): Answer[] {
  let state = rule.start(context);
  const answers = MOMENTS.map((moment) => rule.decide(state, moment));
  for (const event of eventsFor(context)) {
    state = rule.observe(state, event);
    answers.push(...MOMENTS.map((moment) => rule.decide(state, moment)));
  }
  return answers;
}

const plain = (answer: Answer): unknown => ({
  ...answer,
  because: typeof answer.because === 'function' ? answer.because() : answer.because,
});

describe('the registry of rules', () => {
  it('has at least one rule and no fault', () => {
    expect(abrRules.length).toBeGreaterThan(0);
    expect(faultsOf(abrRules)).toEqual([]);
  });

  it('says which rules there are when asked for another', () => {
    expect(() => pick(abrRules, 'no-such-rule')).toThrow(/^unknown id "no-such-rule"; known: .*throughput/);
  });
});

describe.each(abrRules.map((rule) => [rule.id, rule] as const))('the rule %s', (_, rule) => {
  it('names its paper, and its parameters can be logged', () => {
    expect(rule.paper.length).toBeGreaterThan(10);
    expect(JSON.parse(JSON.stringify(rule.parameters))).toEqual(rule.parameters);
  });

  it('answers with a rung of the ladder and a sentence, whatever is unknown', () => {
    for (const context of contexts)
      for (const answer of answersOf(rule, context)) {
        expect(Number.isInteger(answer.rung)).toBe(true);
        expect(answer.rung).toBeGreaterThanOrEqual(0);
        expect(answer.rung).toBeLessThan(context.ladder.length);
        expect((plain(answer) as { because: string }).because).toMatch(/^[A-Z].*\.$/);
        for (const value of Object.values(answer.values ?? {}))
          expect(value === null || Number.isFinite(value)).toBe(true);
      }
  });

  it('gives the same answers to the same story', () => {
    for (const context of contexts)
      expect(answersOf(rule, context).map(plain)).toEqual(answersOf(rule, context).map(plain));
  });

  it('changes neither its state nor its arguments', () => {
    const context = contextOf(ladderOf(300, 750, 1200));
    const state = rule.start(context);
    const before = JSON.stringify(state);
    const event = Object.freeze(downloadOf(2000));
    rule.observe(state, event);
    rule.decide(state, Object.freeze(momentOf()));
    expect(JSON.stringify(state)).toBe(before);
  });

  it('has a state that does not grow: after 24 h of 2 s segments it is no larger than after 10 minutes', () => {
    const sizeAfter = (segments: number): number => {
      let state = rule.start(contextOf(ladderOf(300, 750, 1200)));
      for (let segment = 0; segment < segments; segment += 1)
        state = rule.observe(
          state,
          downloadOf(1000 + (segment % 7) * 100, {
            segment,
            startMs: segment * 2000,
            lastByteMs: segment * 2000 + 900,
          }),
        );
      return JSON.stringify(state).length;
    };
    expect(sizeAfter(43_200)).toBeLessThanOrEqual(sizeAfter(300) * 1.5);
  });
});
