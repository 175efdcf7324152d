import { decidableRules, type SimSectionOptions, ladderContent } from './simSection.ts';
import type { Figure } from '../figure.ts';
import { ratioOfMedians, type Pair } from '../statistics.ts';
import type { Moment, Rule, RuleContext, RuleEvent } from '../../src/abr/rule.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { seededRandom } from '../../src/analysis/statistics/random.ts';

const MAX_RATIO = 2;
const SEGMENT_MS = 4000;
const MINUTE = 15;
const DAY = 21_600;
const PAIRS = { full: 201, quick: 15 };
/** A batch lasts about so long: far above the clock's grain, far below what else happens on a machine. */
const BATCH_MS = 0.2;

/** Two states of each rule, batches of decisions on both in turn, the first one first in every other pair. */
export async function historyFigures({ quick, say }: SimSectionOptions): Promise<Figure[]> {
  const pairs = quick ? PAIRS.quick : PAIRS.full;
  const rules = await decidableRules();
  return rules.map((rule): Figure => {
    say(rule.id);
    const measured = pairsOf(rule, pairs);
    return {
      id: `history-${rule.id}`,
      label: rule.id,
      unit: '×',
      ...bootstrap(measured, ratioOfMedians),
      goalMax: MAX_RATIO,
    };
  });
}

function pairsOf(rule: Rule, count: number): Pair[] {
  const [young, old] = [stateAfter(rule, MINUTE), stateAfter(rule, DAY)];
  const decisions = batchFor(rule, [young, old]);
  return Array.from({ length: count }, (_, index) => {
    const youngFirst = index % 2 === 0;
    const first = batchMs(rule, youngFirst ? young : old, decisions);
    const second = batchMs(rule, youngFirst ? old : young, decisions);
    return youngFirst ? { base: first, other: second } : { base: second, other: first };
  });
}

/** How many decisions make a batch; finding out warms the code up, with both states. */
function batchFor(rule: Rule, states: readonly unknown[]): number {
  let decisions = 60;
  for (;;) {
    const tookMs = Math.min(
      ...[...states, ...states, ...states].map((state) => batchMs(rule, state, decisions)),
    );
    if (tookMs >= BATCH_MS) return decisions;
    decisions *= 2;
  }
}

/** What a segment costs a rule: one decision and one download input. ms for `decisions` segments. */
function batchMs(rule: Rule, state: unknown, decisions: number): number {
  const startMs = performance.now();
  for (let index = 0; index < decisions; index += 1) {
    rule.decide(state, MOMENTS[index % MOMENTS.length]!);
    rule.observe(state, LAST);
  }
  return performance.now() - startMs;
}

/** The session's time ends at the same moment for both, so their last minutes are the same events. */
function stateAfter(rule: Rule, segments: number): unknown {
  let state = rule.start(CONTEXT);
  for (let segment = DAY - segments; segment < DAY; segment += 1)
    for (const event of eventsAround(segment)) state = rule.observe(state, event);
  return state;
}

function eventsAround(segment: number): RuleEvent[] {
  const random = seededRandom(segment);
  const startMs = segment * SEGMENT_MS;
  const sizeBytes = Math.round(200_000 + 600_000 * random());
  const tookMs = 400 + 3200 * random();
  const download: RuleEvent = {
    kind: 'download',
    mediaType: 'video',
    segment,
    rung: segment % CONTEXT.ladder.length,
    bitrateKbps: CONTEXT.ladder[segment % CONTEXT.ladder.length]!.bitrateKbps,
    sizeBytes,
    startMs,
    firstByteMs: startMs + 80,
    lastByteMs: startMs + tookMs,
    protocol: 'h3',
    connectionReused: true,
    aborted: segment % 50 === 0,
  };
  const idle: RuleEvent = { kind: 'idle', atMs: startMs + tookMs, durationMs: SEGMENT_MS - tookMs };
  if (segment % 40 !== 0) return [download, idle];
  return [download, { kind: 'stall', atMs: startMs + tookMs, durationMs: 200 }, idle];
}

const { video } = ladderContent(10);

const CONTEXT: RuleContext = {
  mediaType: 'video',
  ladder: video.ladder,
  segmentMs: SEGMENT_MS,
  live: false,
  seed: 1,
  // A day of the same 48 segments.
  sizeBytes: (segment, rung) => video.sizesBytes[rung]?.[segment % video.segments] ?? null,
  sizesFrom: () => 'table',
};

const [LAST] = eventsAround(DAY) as [RuleEvent];

const MOMENTS = Array.from({ length: 30 }, (_, index): Moment => {
  const bufferMs = 2000 * (index + 1);
  return {
    nowMs: DAY * SEGMENT_MS,
    playheadMs: DAY * SEGMENT_MS - bufferMs,
    bufferMs,
    bufferTargetMs: 60_000,
    segment: DAY,
    segmentsLeft: 100,
    lastRung: index % CONTEXT.ladder.length,
    liveLatencyMs: null,
    playbackRate: 1,
  };
});
