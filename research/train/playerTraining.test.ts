import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import type { DownloadEvent, Moment, Rule } from '../../src/abr/rule.ts';
import {
  CONTEXT_INPUTS,
  predictedRates,
  RUNG_INPUTS,
  writeContext,
  writeRung,
  type Asked,
} from '../../src/abr/rules/neural/netInputs.ts';
import { neuralFold, type NeuralState } from '../../src/abr/rules/neural/neuralState.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import type { Content, Track } from '../../src/sim/content.ts';
import { playerModelWith } from '../../src/sim/player/playerModel.ts';
import type { PlayerModelSettings } from '../../src/sim/player/playerModelSettings.ts';

/** What the player model of the training made of some sessions; research/train/make_player_golden.py wrote it. */
const golden = JSON.parse(readFileSync(new URL('golden/playerTraining.json', import.meta.url), 'utf8')) as {
  readonly sessions: readonly GoldenSession[];
};

interface GoldenSession {
  readonly ladderKbps: readonly number[];
  readonly segmentMs: number;
  readonly sizesBytes: readonly (readonly number[])[];
  readonly initBytes: number | null;
  readonly manifestBytes: number | null;
  readonly sizesFileBytes: number | null;
  readonly audio: GoldenAudio | null;
  readonly trace: GoldenTrace;
  readonly settings: Partial<PlayerModelSettings>;
  readonly rungs: readonly number[];
  readonly seeks: PlayerModelSettings['seeks'];
  /** Session time and buffer, ms. */
  readonly decisions: readonly (readonly [nowMs: number, bufferMs: number])[];
  readonly requests: readonly (readonly [
    startMs: number,
    firstByteMs: number,
    lastByteMs: number,
    isNew: number,
  ])[];
  readonly seen: readonly GoldenInputs[];
  readonly totals: GoldenTotals;
}
interface GoldenAudio {
  readonly segments: number;
  readonly segmentMs: number;
  readonly sizeBytes: number;
  readonly initBytes: number | null;
}
interface GoldenTrace {
  readonly startMs: number;
  readonly endMs: readonly number[];
  readonly rateKbps: readonly number[];
  readonly rttMs: readonly number[] | null;
  readonly lossDown: readonly number[] | null;
  readonly lossUp: readonly number[] | null;
  readonly againDown: readonly number[] | null;
}
interface GoldenInputs {
  readonly at: number;
  readonly context: readonly number[];
  readonly rungs: readonly (readonly number[])[];
}
interface GoldenTotals {
  readonly first_wait_ms: number;
  readonly waits_ms: number;
  readonly stalls: number;
  readonly last_arrival_ms: number;
  readonly audio_downloads: number;
  readonly audio_last_ms: number;
}

/** Plays the rungs of a session, and keeps what a rule receives and is asked. */
function played(session: GoldenSession) {
  const asked: { readonly moment: Moment; readonly state: NeuralState }[] = [];
  const downloads: DownloadEvent[] = [];
  const fold = neuralFold(pick(qoeModels, 'lin'));
  const rule: Rule<NeuralState> = {
    ...fold,
    id: 'golden',
    label: 'golden',
    paper: 'none',
    parameters: {},
    observe(state, event) {
      // Each track has a state of its own, and receives the downloads of both; the end of a session gives up those under way.
      const isWhole = event.kind === 'download' && !event.aborted;
      if (isWhole && state.mediaType === 'video') downloads.push(event);
      return fold.observe(state, event);
    },
    decide(state, moment) {
      if (state.mediaType === 'audio') return { rung: 0, because: 'Golden.' };
      asked.push({ moment, state });
      return { rung: session.rungs[asked.length - 1]!, because: 'Golden.' };
    },
  };
  const model = playerModelWith({ ...session.settings, seeks: session.seeks });
  const scene = { trace: traceOf(session.trace), content: contentOf(session), rule: rule as Rule, seed: 1 };
  return { asked, downloads, outcome: model.simulate(scene) };
}

const floats = (values: readonly number[]): Float64Array => Float64Array.from(values);

function traceOf({ startMs, endMs, rateKbps, rttMs, lossDown, lossUp, againDown }: GoldenTrace) {
  return {
    name: 'golden',
    startMs,
    endMs: floats(endMs),
    rateKbps: floats(rateKbps),
    rttMs: rttMs && floats(rttMs),
    ...(lossDown && { lossDown: floats(lossDown) }),
    ...(lossUp && { lossUp: floats(lossUp) }),
    ...(againDown && { againDown: floats(againDown) }),
  };
}

function contentOf(session: GoldenSession): Content {
  const { ladderKbps, segmentMs, sizesBytes, initBytes, audio, manifestBytes, sizesFileBytes } = session;
  const ladderOf = (kbps: readonly number[]) =>
    kbps.map((bitrateKbps) => ({ bitrateKbps, width: null, height: null }));
  const video: Track = {
    ladder: ladderOf(ladderKbps),
    segmentMs,
    segments: sizesBytes[0]!.length,
    sizesBytes,
    initBytes: initBytes === null ? null : ladderKbps.map(() => initBytes),
  };
  const audioTrack: Track | null = audio && {
    ladder: ladderOf([96]),
    segmentMs: audio.segmentMs,
    segments: audio.segments,
    sizesBytes: [Array<number>(audio.segments).fill(audio.sizeBytes)],
    initBytes: audio.initBytes === null ? null : [audio.initBytes],
  };
  return {
    name: 'golden',
    video,
    audio: audioTrack,
    ...(manifestBytes !== null && { manifestBytes }),
    ...(sizesFileBytes !== null && { sizesFileBytes }),
  };
}

const label = ({ settings: { protocol, sender, live }, trace }: GoldenSession): string =>
  [
    protocol,
    sender ? (sender.instrumented?.controller ?? 'Caddy') : 'no windows',
    trace.lossDown ? 'losses' : 'no losses',
    ...(live ? ['live'] : []),
  ].join(', ');

const cases = golden.sessions.map((session, index) => [index, label(session), session] as const);

test.each(cases)('training plays session %i (%s) as the player model does', (_index, _label, session) => {
  const { asked, downloads, outcome } = played(session);
  const video = downloads.filter(({ mediaType }) => mediaType === 'video');
  const audio = downloads.filter(({ mediaType }) => mediaType === 'audio');
  const { totals } = session;
  // To the last bit.
  expect(asked.map(({ moment }) => [moment.nowMs, moment.bufferMs])).toEqual(session.decisions);
  expect(
    video.map((each) => [each.startMs, each.firstByteMs, each.lastByteMs, each.connectionReused ? 0 : 1]),
  ).toEqual(session.requests);
  expect({
    // A session that never begins has no first segment that waits.
    first_wait_ms: outcome.rungs.length === 0 ? totals.first_wait_ms : outcome.waitMs[0],
    stalls: outcome.stalls,
    last_arrival_ms: outcome.durationMs,
    audio_downloads: audio.length,
    audio_last_ms: audio.at(-1)?.lastByteMs ?? 0,
  }).toEqual({ ...totals, waits_ms: undefined });
  const waitsMs = outcome.waitMs.slice(1).reduce((sum, each) => sum + each, 0);
  expect(Math.abs(waitsMs - totals.waits_ms)).toBeLessThanOrEqual(1e-6);
});

const looked = cases.filter(([, , { seen }]) => seen.length > 0);

test.each(looked)('the net of session %i (%s) sees the same', (_index, _label, session) => {
  const { asked } = played(session);
  const context = new Float32Array(CONTEXT_INPUTS);
  const row = new Float32Array(RUNG_INPUTS);
  for (const { at, context: wantedContext, rungs } of session.seen) {
    const { state, moment } = asked[at]!;
    const now: Asked = { state, measured: state.measured!, moment };
    writeContext(context, now);
    expectNear(context, wantedContext);
    rungs.forEach((wanted, rung) => {
      writeRung(row, now, { rung, at: 0, rates: predictedRates(now.measured) });
      expectNear(row, wanted);
    });
  }
});

test('among these decisions audio is behind, ahead, and all of it loaded', () => {
  const levels = looked.flatMap(([, , session]) => {
    const { asked } = played(session);
    return session.seen.map(({ at }) => ({ session, moment: asked[at]!.moment }));
  });
  const aheadMs = levels.flatMap(({ moment: { audioBufferMs, bufferMs } }) =>
    audioBufferMs === undefined ? [] : [audioBufferMs - bufferMs],
  );
  expect(Math.min(...aheadMs)).toBeLessThan(0);
  expect(Math.max(...aheadMs)).toBeGreaterThan(0);
  const whole = levels.filter(({ session, moment }) => session.audio && moment.audioBufferMs === undefined);
  expect(whole.length).toBeGreaterThan(0);
});

/** Inputs are in single precision. */
function expectNear(found: Float32Array, wanted: readonly number[]): void {
  expect(found).toHaveLength(wanted.length);
  found.forEach((each, at) => expect(Math.abs(each - wanted[at]!), `input ${at}`).toBeLessThanOrEqual(2e-6));
}

test('the sessions cover every protocol, sender and kind of path', () => {
  const labels = new Set(cases.map(([, name]) => name));
  for (const wanted of [/^h1/, /^h2/, /^h3/, /Caddy/, /reno/, /cubic/, /no windows/, /, losses/, /live$/])
    expect(
      [...labels].some((name) => wanted.test(name)),
      String(wanted),
    ).toBe(true);
  expect(golden.sessions.some(({ seeks }) => seeks.length > 0)).toBe(true);
  expect(golden.sessions.some(({ totals }) => totals.stalls > 0)).toBe(true);
  expect(golden.sessions.some(({ trace }) => trace.againDown)).toBe(true);
  const ended = golden.sessions.filter(({ requests, sizesBytes }) => requests.length < sizesBytes[0]!.length);
  expect(ended.length).toBeGreaterThan(1);
  // Segments that are chosen anew after a round of attempts.
  const isAnew = ({ decisions, requests }: GoldenSession): boolean => decisions.length > requests.length + 1;
  expect(golden.sessions.filter(isAnew).length).toBeGreaterThan(2);
});
