import { expect, it } from 'vitest';
import type { DownloadEvent, Moment, RuleEvent } from '../../rule.ts';
import { qoeModels } from '../../../shared/qoe.ts';
import { pick } from '../../../shared/registry.ts';
import { contextOf, downloadOf, ladderOf, momentOf } from '../../testMoments.testing.ts';
import { CONTEXT_NAMES, RUNG_NAMES, CONTEXT_INPUTS, RUNG_INPUTS, writeContext } from './netInputs.ts';
import { neuralFold, withDownload } from './neuralState.ts';
import { NEVER_STALLED } from './stallPrice.ts';

/** The third number of the context: the space below the buffer target, in units of 20 s. */
function spaceAt(bufferMs: number, bufferTargetMs: number): number {
  const ladder = ladderOf(300, 750);
  const measured = withDownload(null, downloadOf(900))!;
  const state = {
    ...contextOf(ladder, { segmentMs: 4000 }),
    worth: [0, 1],
    measured,
    h2AudioKbps: 0,
    stalled: NEVER_STALLED,
  };
  const context = new Float32Array(CONTEXT_INPUTS);
  writeContext(context, { state, measured, moment: momentOf({ bufferMs, bufferTargetMs }) });
  return context[2]!;
}

it.each([
  ['a buffer that the next segment just fits under is full, as in training', 16_000, 20_000, 0],
  ['a segment below that there is space for one', 12_000, 20_000, 0.2],
  ['a target shorter than a segment is itself the level that the player waits at', 1000, 3000, 0.1],
])('%s', (_what, bufferMs, bufferTargetMs, space) => {
  expect(spaceAt(bufferMs, bufferTargetMs)).toBeCloseTo(space, 6);
});

/** The last number of the context but two: a new connection. */
function newConnection(protocol: string | null, connectionReused: boolean | null): number {
  const measured = withDownload(null, downloadOf(900, { protocol, connectionReused }))!;
  const state = {
    ...contextOf(ladderOf(300, 750)),
    worth: [0, 1],
    measured,
    h2AudioKbps: 0,
    stalled: NEVER_STALLED,
  };
  const context = new Float32Array(CONTEXT_INPUTS);
  writeContext(context, { state, measured, moment: momentOf() });
  return context.at(-3)!;
}

it.each([
  ['http/1.1', false, 1],
  ['http/1.0', true, 0],
  ['h2', true, 0],
  ['h2', false, 1],
  ['h3', false, 1],
  ['h3-29', true, 0],
  ['spdy/3', true, 0],
  ['spdy/3', false, 0],
  [null, false, 0],
  [null, null, 0],
])('what %s carried, on a connection reused: %s, is written as in training', (protocol, reused, reported) => {
  expect(newConnection(protocol, reused)).toBe(reported);
});

/** The last number of the context but one after these events: four times the share of the rate that audio needs over h2. */
function audioAfter(...events: readonly RuleEvent[]): number {
  const { start, observe } = neuralFold(pick(qoeModels, 'lin'));
  const state = events.reduce(observe, start(contextOf(ladderOf(300, 750))));
  const context = new Float32Array(CONTEXT_INPUTS);
  writeContext(context, { state, measured: state.measured!, moment: momentOf() });
  return context.at(-2)!;
}

const video = downloadOf(900);
const audio = (bitrateKbps: number, changes: Partial<DownloadEvent> = {}): DownloadEvent =>
  downloadOf(900, { mediaType: 'audio', protocol: 'h2', bitrateKbps, ...changes });

it.each([
  ['nothing while none came', 0, [video]],
  ['what it has in the manifest, of the rate of the video', 0.4, [video, audio(100)]],
  ['nothing over h3: there all rates of the video show it', 0, [video, audio(100, { protocol: 'h3' })]],
  ['nothing once it comes over h1', 0, [video, audio(100), audio(100, { protocol: 'http/1.1' })]],
  ['nothing where nobody says what carried it', 0, [video, audio(100, { protocol: null })]],
  ['that of the last segment, where there are several levels', 0.8, [audio(100), video, audio(200)]],
  ['that of the one before, where one was given up', 0.4, [video, audio(100), audio(200, { aborted: true })]],
  ['that of the one before, where the manifest does not say', 0.4, [video, audio(100), audio(0)]],
  ['three quarters of the rate at most', 3, [video, audio(5000)]],
])('audio beside the video counts as %s', (_what, counted, events) => {
  expect(audioAfter(...events)).toBeCloseTo(counted, 6);
});

/** The last number of the context: how far the audio's buffer is ahead of the video's, in units of 20 s. */
function audioAhead(moment: Partial<Moment>): number {
  const { start, observe } = neuralFold(pick(qoeModels, 'lin'));
  const state = observe(start(contextOf(ladderOf(300, 750))), video);
  const context = new Float32Array(CONTEXT_INPUTS);
  writeContext(context, { state, measured: state.measured!, moment: momentOf(moment) });
  return context.at(-1)!;
}

it.each([
  ['nothing without audio, and once all of it is loaded', 0, { bufferMs: 12_000 }],
  ['behind, with less of it than of the video', -0.4, { bufferMs: 12_000, audioBufferMs: 4000 }],
  ['as far behind as there is video, with none of it', -0.6, { bufferMs: 12_000, audioBufferMs: 0 }],
  ['ahead, with more of it than of the video', 0.05, { bufferMs: 12_000, audioBufferMs: 13_000 }],
  ['40 s behind at most', -2, { bufferMs: 90_000, audioBufferMs: 2000 }],
  ['20 s ahead at most', 1, { bufferMs: 0, audioBufferMs: 60_000 }],
])('the level of audio counts as %s', (_what, counted, moment) => {
  expect(audioAhead(moment)).toBeCloseTo(counted, 6);
});

it('has a name for every input', () => {
  expect([CONTEXT_NAMES.length, RUNG_NAMES.length]).toEqual([CONTEXT_INPUTS, RUNG_INPUTS]);
});
