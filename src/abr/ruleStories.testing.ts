import type { Answer, MediaType, Moment, Rule, RuleContext, RuleEvent } from './rule.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from './testMoments.testing.ts';

/** What the contract tests put every rule through. */

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
  momentOf({ bufferMs: 55_000, bufferTargetMs: 60_000, lastRung: 99 }),
];

export const contexts: readonly RuleContext[] = LADDERS.flatMap((ladder) =>
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

export const eventsFor = ({ ladder, mediaType }: RuleContext): RuleEvent[] => [
  downloadOf(3000, { mediaType, rung: ladder.length - 1 }),
  downloadOf(0, { mediaType, firstByteMs: null, protocol: null, connectionReused: null, segment: null }),
  downloadOf(500, { mediaType: mediaType === 'video' ? 'audio' : 'video' }),
  { kind: 'sizes', atMs: 2500, from: 'sidx', rung: 0, firstSegment: 10, sizesBytes: [1000, null, 3000] },
  { kind: 'stall', atMs: 3000, durationMs: 1500 },
  { kind: 'seek', atMs: 5000, toMs: 90_000 },
  { kind: 'idle', atMs: 6000, durationMs: 4000 },
  downloadOf(2000, { mediaType, aborted: true }),
  { kind: 'ladder', atMs: 7000, ladder, segmentMs: 2000 },
  downloadOf(1e6, { mediaType, startMs: 8000, lastByteMs: 8000.1 }),
  downloadOf(900, { mediaType, startMs: 9000, lastByteMs: 9000 }),
  { kind: 'ladder', atMs: 9500, ladder: ladder.slice(0, 1), segmentMs: 4000 },
  { kind: 'ladder', atMs: 9800, ladder, segmentMs: 4000 },
];

/** One question: how many rungs there were, and the answer in a form that can be compared. */
export interface Asked {
  readonly rungs: number;
  readonly answer: Answer;
}

/** Asks the rule at every moment, before and after every event of the story. `seen` sees each state. */
export function answersOf(rule: Rule, context: RuleContext, seen?: (state: unknown) => void): Asked[] {
  let state = rule.start(context);
  let rungs = context.ladder.length;
  const ask = (): Asked[] => {
    seen?.(state);
    return MOMENTS.map((moment) => ({ rungs, answer: plain(rule.decide(state, moment)) }));
  };
  const asked = ask();
  for (const event of eventsFor(context)) {
    if (event.kind === 'ladder') rungs = event.ladder.length;
    state = rule.observe(state, event);
    asked.push(...ask());
  }
  return asked;
}

const plain = (answer: Answer): Answer => ({
  ...answer,
  because: typeof answer.because === 'function' ? answer.because() : answer.because,
});

/** Freezes what a rule is given, to the bottom; a typed array cannot be frozen. */
export function frozen<T>(value: T): T {
  if (typeof value !== 'object' || value === null || ArrayBuffer.isView(value)) return value;
  if (!Object.isFrozen(value)) {
    Object.freeze(value);
    for (const part of Object.values(value)) frozen(part);
  }
  return value;
}

/** The state of a rule after `segments` downloads of 2 s, with every kind of event between them. */
export function stateAfter(rule: Rule, segments: number): unknown {
  let state = rule.start(contextOf(ladderOf(300, 750, 1200)));
  for (let segment = 0; segment < segments; segment += 1)
    for (const event of aroundSegment(segment)) state = rule.observe(state, event);
  return state;
}

function aroundSegment(segment: number): RuleEvent[] {
  const startMs = segment * 2000;
  const events: RuleEvent[] = [
    downloadOf(1000 + (segment % 7) * 100, {
      segment,
      rung: Math.floor(segment / 3) % 3,
      startMs,
      lastByteMs: startMs + 900 + (segment % 11) * 200,
      aborted: segment % 13 === 12,
    }),
  ];
  if (segment % 5 === 0) events.push({ kind: 'stall', atMs: startMs, durationMs: 300 });
  if (segment % 6 === 0) events.push({ kind: 'idle', atMs: startMs, durationMs: 700 });
  if (segment % 97 === 0) events.push({ kind: 'seek', atMs: startMs, toMs: startMs });
  return events;
}
