import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { RuleEvent, Rule } from '../../src/abr/rule.ts';
import {
  CONTEXT_INPUTS,
  predictedRates,
  RUNG_INPUTS,
  writeContext,
  writeRung,
  type Asked,
} from '../../src/abr/rules/neural/netInputs.ts';
import { NeuralNet } from '../../src/abr/rules/neural/neuralNet.ts';
import type { NeuralState } from '../../src/abr/rules/neural/neuralState.ts';
import { readNeuralWeights } from '../../src/abr/rules/neural/neuralWeights.ts';
import { weightedNeural } from '../../src/abr/rules/neural/weightedNeural.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../src/abr/testMoments.testing.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import type { Result } from '../../src/shared/result.ts';
import { carriedByHand, type CarriedByHand } from './carriedByHand.testing.ts';
import { playChunks } from '../../src/sim/chunk/chunkModel.ts';
import type { Content } from '../../src/sim/content.ts';
import { qoeOfOutcome } from '../../src/sim/outcomeQoe.ts';

/** What the simulator that nets are trained in made of some sessions; research/train/make_golden.py wrote it. */
const golden = JSON.parse(readFileSync(new URL('golden/training.json', import.meta.url), 'utf8')) as Golden;

interface Golden {
  readonly weights: object;
  readonly sessions: readonly GoldenSession[];
  readonly carried: readonly CarriedSession[];
}
interface GoldenSession {
  readonly ladderKbps: readonly number[];
  readonly segmentMs: number;
  readonly segments: number;
  readonly sizesBytes: readonly (readonly number[])[];
  readonly endMs: readonly number[];
  readonly rateKbps: readonly number[];
  readonly startMs: number;
  readonly qoe: string;
  readonly rungs: readonly number[];
  readonly qoeSum: number;
  readonly steps: readonly GoldenStep[];
}
interface GoldenStep {
  readonly at: number;
  readonly bufferMs: number;
  readonly context: readonly number[];
  readonly rungs: readonly (readonly number[])[];
  readonly scores: readonly number[];
}
/** One with connections and audio beside the video. */
type CarriedSession = GoldenSession & CarriedByHand;

const ruleOf = (qoe: string): Rule<NeuralState> =>
  valueOf(weightedNeural({ qoe, guard: 'off', live: 'player' }, JSON.stringify(golden.weights)));

/** Plays the rungs of a session, and keeps what the rule `neural` knew before each decision. */
function played(session: GoldenSession) {
  const asked: Asked[] = [];
  const able = ruleOf(session.qoe);
  const rule: Rule<NeuralState> = {
    ...able,
    observe: (state: NeuralState, event: RuleEvent) => able.observe(state, event),
    decide(state, moment) {
      asked.push({ state, measured: state.measured!, moment });
      return { rung: session.rungs[asked.length]!, because: 'Golden.' };
    },
  };
  const content = contentOf(session);
  const trace = {
    name: 'golden',
    endMs: Float64Array.from(session.endMs),
    rateKbps: Float64Array.from(session.rateKbps),
    rttMs: null,
    startMs: session.startMs,
  };
  const outcome = playChunks({ trace, content, rule, seed: 1 }, null);
  return { asked, qoe: qoeOfOutcome(outcome, content.video, pick(qoeModels, session.qoe)) };
}

const contentOf = ({ ladderKbps, segmentMs, segments, sizesBytes }: GoldenSession): Content => ({
  name: 'golden',
  video: {
    ladder: ladderKbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null })),
    segmentMs,
    segments,
    sizesBytes,
    initBytes: null,
  },
  audio: null,
});

function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

const cases = golden.sessions.map((session, index) => [index, session] as const);

test.each(cases)('the simulator of the training plays session %i to the same QoE', (_, session) => {
  const { qoe } = played(session);
  expect(qoe.segments).toBe(session.segments - 1);
  expect(Math.abs(qoe.sum - session.qoeSum)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(qoe.sum)));
});

/** What the rule knows before each decision of a session whose requests it receives. */
function received(session: CarriedSession): Asked[] {
  const rule = ruleOf(session.qoe);
  const { ladderKbps, segmentMs, segments, sizesBytes, protocol } = session;
  const sizeBytes = (segment: number, rung: number) => sizesBytes[rung]![segment] ?? null;
  const audio = { mediaType: 'audio' as const, protocol, bitrateKbps: (session.audioBytes * 8) / segmentMs };
  let state = rule.start(contextOf(ladderOf(...ladderKbps), { segmentMs, sizeBytes }));
  state = rule.observe(state, downloadOf(1, audio));
  return session.requests.map(([firstByteMs, lastByteMs, isNew], segment) => {
    const lastRung = session.rungs[segment]!;
    const size = { segment, rung: lastRung, sizeBytes: sizeBytes(segment, lastRung)! };
    const times = { startMs: 0, firstByteMs, lastByteMs };
    state = rule.observe(state, {
      ...downloadOf(1, { ...size, ...times }),
      protocol,
      connectionReused: isNew === 0,
    });
    const bufferMs = session.steps.find(({ at }) => at === segment)?.bufferMs ?? 0;
    const next = { segment: segment + 1, segmentsLeft: segments - segment - 1 };
    const moment = momentOf({ bufferMs, bufferTargetMs: 60_000 + segmentMs, lastRung, ...next });
    return { state, measured: state.measured!, moment };
  });
}

test.each(cases.filter(([, { steps }]) => steps.length > 0))(
  'the net of session %i sees and answers the same',
  (_, session) => {
    expectSeen(played(session).asked, session.steps);
  },
);

const carried = golden.carried.map((session) => [session.protocol, session] as const);

test.each(carried)('the net sees and answers the same of a session that %s carried', (_, session) => {
  expect(new Set(session.requests.map(([, , isNew]) => isNew))).toEqual(new Set([0, 1]));
  expectSeen(received(session), session.steps);
});

test.each(carried)('%s carries audio and handshakes in the training as by hand', (_, session) => {
  const { requests, buffersMs } = carriedByHand(session);
  requests.forEach((request, segment) => expectClose(request, session.requests[segment]!.slice(0, 2)));
  for (const { at, bufferMs } of session.steps) expectClose([buffersMs[at]!], [bufferMs]);
});

function expectClose(found: readonly number[], wanted: readonly number[]): void {
  found.forEach((each, at) =>
    expect(Math.abs(each - wanted[at]!)).toBeLessThanOrEqual(1e-6 * (1 + wanted[at]!)),
  );
}

function expectSeen(asked: readonly Asked[], steps: readonly GoldenStep[]): void {
  const net = new NeuralNet(valueOf(readNeuralWeights(JSON.stringify(golden.weights))));
  const context = new Float32Array(CONTEXT_INPUTS);
  const row = new Float32Array(RUNG_INPUTS);
  for (const step of steps) {
    const now = asked[step.at]!;
    writeContext(context, now);
    expectNear(context, step.context, 2e-6);
    step.rungs.forEach((wanted, rung) => {
      writeRung(row, now, { rung, at: 0, rates: predictedRates(now.measured) });
      expectNear(row, wanted, 2e-6);
    });
    expectNear(net.scoresFor(now), step.scores, 2e-5);
  }
}

function expectNear(found: Float32Array, wanted: readonly number[], space: number): void {
  expect(found.length).toBe(wanted.length);
  const worst = Math.max(...wanted.map((each, at) => Math.abs(each - found[at]!)));
  expect(worst, `${[...found].join()} instead of ${wanted.join()}`).toBeLessThanOrEqual(space);
}
