import { describe, expect, it } from 'vitest';
import { checkedAnswer, stay } from '../../abr/answer.ts';
import { decidableRules } from '../../abr/decidableRules.testing.ts';
import type { Answer, MediaType, Moment, Rule, RuleEvent } from '../../abr/rule.ts';
import { lowest } from '../../abr/rules/fixed.ts';
import { downloadOf, ladderOf, momentOf } from '../../abr/testMoments.testing.ts';
import { replay, type ReplayedDecision } from '../../sim/replay/replay.ts';
import type { Draft, RuleInUseEvent } from '../../telemetry/event.ts';
import { exampleLog, exampleRequest } from '../../telemetry/exampleLog.testing.ts';
import { createPendingDecisions } from '../../telemetry/recorder/pendingDecisions.ts';
import { createRecorder } from '../../telemetry/recorder/recorder.ts';
import { readSession } from '../../telemetry/schema/readSession.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { decisionOf } from './decision.ts';
import { copyInput, createRuleRunners, type Offer } from '../../abr/ruleRunners.ts';

/** Park and Miller's generator: numbers in 0..1, the same for the same seed. */
function draws(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

const SEED = 3;
const OFFERS: readonly Offer[] = [
  { ladder: ladderOf(300, 750, 1200, 1850, 2850, 4300), segmentMs: 4000 },
  { ladder: ladderOf(300, 1200, 2850), segmentMs: 2002 },
];
const MEDIA: readonly MediaType[] = ['video', 'audio'];

/**
 * A session as the player records one, without dash.js: rule runners, questions, decisions that wait for their
 * requests, and a rule that is switched. Everything happens in a random order.
 */
function recordedSession(rule: Rule, seed: number): SessionLog {
  const draw = draws(seed);
  const upTo = (top: number): number => Math.floor(draw() * top);
  const events: SessionEvent[] = [];
  const recorder = createRecorder({ onEvent: (event) => void events.push(event) });
  const pending = createPendingDecisions((draft) => void recorder.record(draft));
  let nowMs = 10;
  let offer = OFFERS[0]!;
  const runners = createRuleRunners({
    nowMs: () => nowMs,
    record: (mediaType, input) =>
      recorder.record({ kind: 'rule-input', atMs: nowMs, missing: {}, mediaType, input: copyInput(input) })
        .id,
    isLive: () => false,
    onFault: () => undefined,
    seed: SEED,
    // Known of each new ladder at once, as where the stream's index tells.
    sizesOf: () => [
      {
        kind: 'sizes',
        atMs: nowMs,
        from: 'sidx',
        rung: 0,
        firstSegment: 0,
        sizesBytes: [150_000, null, 160_000],
      },
    ],
  });
  const use = (): void => {
    runners.use(rule);
    const { id, parameters } = rule;
    const draft: Draft<RuleInUseEvent> = {
      kind: 'rule',
      atMs: nowMs,
      missing: {},
      rule: id,
      parameters,
      seed: SEED,
    };
    recorder.record(draft);
  };
  const ask = (mediaType: MediaType): void => {
    const rungs = offer.ladder.length;
    const moment: Moment = momentOf({
      nowMs,
      playheadMs: nowMs * 0.9,
      bufferMs: draw() * 40_000,
      segment: draw() < 0.2 ? null : upTo(60),
      segmentsLeft: draw() < 0.2 ? null : upTo(60),
      lastRung: draw() < 0.1 ? null : upTo(rungs),
      ...(mediaType === 'video' && draw() < 0.7 && { audioBufferMs: draw() * 40_000 }),
    });
    let answer = stay(moment, 'never asked');
    try {
      const checked = checkedAnswer(runners.ask(mediaType, offer, moment), rungs);
      if (!checked.ok) throw new Error(checked.error);
      answer = checked.value;
    } catch (thrown) {
      answer = stay(moment, thrown);
    }
    const question = { mediaType, moment, offer };
    const inputId = runners.inputId(mediaType);
    pending.decide(decisionOf({ ruleId: rule.id, question, answer, inputId, estimateKbps: NaN, tookMs: 0 }));
  };
  const request = (mediaType: MediaType): void => {
    const { id } = recorder.record(exampleRequest({ mediaType, atMs: nowMs }), recorder.reserveId('request'));
    pending.link(mediaType, { id, segment: upTo(60) });
  };
  const event = (): RuleEvent => {
    const rung = upTo(offer.ladder.length);
    const mediaType = MEDIA[upTo(2)]!;
    const bitrateKbps = offer.ladder[rung]!.bitrateKbps;
    const sizesBytes = Array.from({ length: 60 }, () => (draw() < 0.1 ? null : upTo(3e6) + 1));
    const choices: RuleEvent[] = [
      downloadOf(draw() * 9000, {
        mediaType,
        rung,
        bitrateKbps,
        sizeBytes: upTo(2e6),
        startMs: nowMs - draw() * 9,
        firstByteMs: null,
        lastByteMs: nowMs,
        aborted: draw() < 0.1,
      }),
      { kind: 'stall', atMs: nowMs, durationMs: draw() * 3000 },
      { kind: 'seek', atMs: nowMs, toMs: draw() * 60_000 },
      { kind: 'idle', atMs: nowMs - 1, durationMs: 1 },
      { kind: 'sizes', atMs: nowMs, from: 'sidx', rung, firstSegment: 0, sizesBytes },
    ];
    return draw() < 0.6 ? choices[0]! : choices[upTo(choices.length)]!;
  };
  const actions: readonly (() => void)[] = [
    () => ask('video'),
    () => ask('audio'),
    () => request('video'),
    () => request('audio'),
    () => runners.tellAll(event()),
    () => runners.tellAll(event()),
    () => runners.tell('video', event()),
    () => void (offer = OFFERS[upTo(OFFERS.length)]!),
  ];
  use();
  for (let step = 0; step < 300; step += 1) {
    // Several things may happen at one moment.
    nowMs += draw() < 0.4 ? 0 : draw() * 1000;
    if (step % 97 === 96) use();
    else actions[upTo(actions.length)]!();
  }
  pending.release();
  return throughFile({ ...exampleLog({ segments: 0 }), events });
}

/** As somebody else reads it. */
function throughFile(log: SessionLog): SessionLog {
  const read = readSession(JSON.stringify(log));
  if (!read.ok) throw new Error(read.error);
  return read.value;
}

const input = ({ because, values, holdUntilBufferMs }: Decided): Decided => ({
  because,
  values,
  holdUntilBufferMs,
});
type Decided = Pick<ReplayedDecision, 'because' | 'values' | 'holdUntilBufferMs'>;

const ofAudio = (_state: unknown, { audioBufferMs }: Moment): Answer => ({
  rung: 0,
  because: 'It says what it was given.',
  values: { audioBufferMs: audioBufferMs ?? null },
});

describe('what the player records is replayed to the same rungs, sentences and numbers', () => {
  it.each(decidableRules.map((rule) => [rule.id, rule] as const))('by %s', (_, rule) => {
    for (const seed of [11, 12, 13]) {
      const log = recordedSession(rule, seed);
      const recorded = log.events.filter((event) => event.kind === 'decision');
      const { decisions, identical } = replay(log, rule);
      expect(recorded.length).toBeGreaterThan(20);
      expect(identical).toBe(recorded.length);
      const byId = new Map(decisions.map((decision) => [decision.id, input(decision)]));
      for (const decision of recorded) expect(byId.get(decision.id)).toEqual(input(decision));
    }
  });

  it('also by a rule that uses the level of the audio', () => {
    const rule = { ...lowest, id: 'of-audio', decide: ofAudio } as Rule;
    const log = recordedSession(rule, 11);
    const recorded = log.events.filter((event) => event.kind === 'decision');
    const levels = new Map(recorded.map(({ id, values }) => [id, values['audioBufferMs']]));
    expect(new Set([...levels.values()].map((level) => level === null)).size).toBe(2);
    const replayed = replay(log, rule).decisions.map(
      ({ id, values }) => [id, values['audioBufferMs']] as const,
    );
    expect(new Map(replayed)).toEqual(levels);
  });

  it('and would not be if a decision were asked where it is written', () => {
    const rule = decidableRules.find(({ id }) => id === 'throughput')!;
    const log = recordedSession(rule, 11);
    let inputId = '';
    const misplaced = log.events.map((event) => {
      if (event.kind === 'rule-input') inputId = event.id;
      return event.kind === 'decision' ? { ...event, inputId } : event;
    });
    const { decisions, identical } = replay({ ...log, events: misplaced }, rule);
    expect(identical).toBeLessThan(decisions.length);
  });
});
