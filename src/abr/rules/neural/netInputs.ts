import { exp } from '../../../shared/exactMath/exp.ts';
import { ln } from '../../../shared/exactMath/ln.ts';
import type { Moment } from '../../rule.ts';
import { segmentBytes, segmentMsOf } from '../../segmentBytes.ts';
import { HISTORY, latencyMsOf, type Measured, type NeuralState } from './neuralState.ts';

/** Numbers about no rung in particular, and numbers about each rung. */
export const CONTEXT_INPUTS = 16 + HISTORY + 5;
export const RUNG_INPUTS = HISTORY + 18;

/** How far ahead sizes are looked at, segments. */
const AHEAD = 4;
/** How far from its end a video is when nobody knows: as far as the net can see, 180 s. */
const FAR = 3;

/** Downloads after which a session is no longer young; training has some three times as many. */
const YOUNG = 48;

/** Factor of the input for the share of the rate that audio needs: that share is mostly some hundredths. */
const AUDIO_WEIGHT = 4;
const MAX_AUDIO = 3;

/** A level of audio 20 s above that of the video counts as 1. */
const AHEAD_MS = 20_000;

/** A decision that is asked for after at least one download. */
export interface Asked {
  readonly state: NeuralState;
  readonly measured: Measured;
  readonly moment: Moment;
}

/** The level at which the player waits, as training knows it: above it the next segment would not fit under the target. */
export const fullMs = ({ bufferTargetMs }: Moment, segmentMs: number): number =>
  bufferTargetMs > segmentMs ? bufferTargetMs - segmentMs : bufferTargetMs;

/** The context's numbers, in the order of `write_context` in research/train/env/net_inputs.c. */
export function writeContext(c: Float32Array, { state, measured, moment }: Asked): void {
  const { ladder, worth } = state;
  const top = ladder.length - 1;
  const segmentMs = segmentMsOf(state);
  const { bufferMs, audioBufferMs, segmentsLeft } = moment;
  const segmentLn = ln(segmentMs);
  c[0] = clip(bufferMs / 20_000, 0, 6);
  c[1] = clip(ln(1 + bufferMs / segmentMs), 0, 6);
  c[2] = clip((fullMs(moment, segmentMs) - bufferMs) / 20_000, -1, 4);
  c[3] = segmentsLeft === null ? FAR : clip((segmentsLeft * segmentMs) / 60_000, 0, FAR);
  c[4] = segmentsLeft === null ? 0 : 1 / Math.max(1, segmentsLeft);
  c[5] = segmentLn - ln(4000);
  c[6] = clip(measured.latencyLn, -3, 3);
  c[7] = clip(measured.latencyMeanLn, -3, 3);
  c[8] = clip(measured.downloads / 20, 0, 1);
  c[9] = worth[top]! - worth[0]!;
  c[10] = ln(ladder[top]!.bitrateKbps / ladder[0]!.bitrateKbps) / 3;
  c[11] = ln(top + 1) / 2;
  c[12] = clip(Math.sqrt(measured.slowVariance), 0, 2);
  c[13] = clip(Math.sqrt(measured.fastVariance), 0, 2);
  c[14] = clip(measured.fastMean - measured.slowMean, -3, 3);
  c[15] = 1 / Math.min(measured.downloads, YOUNG);
  const { tookLn } = measured;
  for (let each = 0; each < HISTORY; each += 1)
    c[16 + each] = clip(tookLn[Math.min(each, tookLn.length - 1)]! - segmentLn, -5, 5) / 2;
  c[16 + HISTORY] = clip(measured.slowMean - measured.lowestLn, 0, 6) / 3;
  c[17 + HISTORY] = clip(4 * measured.dropShare, 0, 2);
  c[18 + HISTORY] = measured.isNew ? 1 : 0;
  // Over h2 audio comes between two segments, and no rate of the video shows that; over the others all rates do.
  c[19 + HISTORY] = clip((AUDIO_WEIGHT * state.h2AudioKbps) / exp(measured.slowMean), 0, MAX_AUDIO);
  // What plays stops where either runs empty.
  c[20 + HISTORY] = audioBufferMs === undefined ? 0 : clip((audioBufferMs - bufferMs) / AHEAD_MS, -2, 1);
}

/** What the rates so far foretell, ln kbit/s. */
interface Foretold {
  readonly harmonic: number;
  readonly lowest: number;
  /** The slow mean less a standard deviation. */
  readonly low: number;
}

export function predictedRates({ rateLn, slowMean, slowVariance }: Measured): Foretold {
  const few = Math.min(5, rateLn.length);
  let inverse = 0;
  for (let each = 0; each < few; each += 1) inverse += exp(-rateLn[each]!);
  let lowest = Infinity;
  for (const each of rateLn) if (each < lowest) lowest = each;
  return { harmonic: ln(few / inverse), lowest, low: slowMean - Math.sqrt(slowVariance) };
}

/** The numbers of one rung from place `at`, in the order of `write_rung` in research/train/env/net_inputs.c. */
export function writeRung(
  x: Float32Array,
  { state, measured, moment }: Asked,
  { rung, at, rates }: { readonly rung: number; readonly at: number; readonly rates: Foretold },
): void {
  const { worth, ladder } = state;
  const top = ladder.length - 1;
  const last = Math.min(moment.lastRung ?? 0, top);
  const segmentMs = segmentMsOf(state);
  const bits = segmentBytes(state, moment.segment, rung) * 8;
  const sizeLn = ln(bits / segmentMs);
  const bitsLn = ln(bits);
  const { rateLn } = measured;
  for (let each = 0; each < HISTORY; each += 1)
    x[at + each] = ratio(sizeLn - rateLn[Math.min(each, rateLn.length - 1)]!);
  let to = at + HISTORY;
  for (const rate of [rates.harmonic, measured.slowMean, measured.fastMean, rates.lowest])
    x[to++] = ratio(sizeLn - rate);
  // What the buffer would be after the download; latency as it was last.
  const readyMs = moment.bufferMs - latencyMsOf(measured.latencyLn);
  for (const rate of [rates.harmonic, rates.lowest, rates.low])
    x[to++] = clip((readyMs - exp(bitsLn - rate)) / 10_000, -2, 6);
  const own = worth[rung]!;
  x[to++] = own - worth[0]!;
  x[to++] = own - worth[last]!;
  x[to++] = Math.abs(own - worth[last]!);
  x[to++] = rung === last ? 1 : 0;
  x[to++] = rung < top ? worth[rung + 1]! - own : 0;
  x[to++] = rung > 0 ? own - worth[rung - 1]! : 0;
  x[to++] = rung === top ? 1 : 0;
  x[to++] = rung === 0 ? 1 : 0;
  x[to++] = clip(ln((aheadBytes(state, moment.segment, rung) * 8) / bits), -2, 2);
  x[to++] = clip(ln((ladder[rung]!.bitrateKbps * segmentMs) / bits), -2, 2);
  x[to++] = worth[top]! - own;
}

/** Mean size of the segments after the next at this rung, as far as they are known; else that of the next. */
function aheadBytes(state: NeuralState, segment: number | null, rung: number): number {
  let sum = 0;
  let known = 0;
  for (; segment !== null && known < AHEAD; known += 1) {
    const bytes = state.sizeBytes(segment + 1 + known, rung);
    if (bytes === null || !(bytes > 0)) break;
    sum += bytes;
  }
  return known > 0 ? sum / known : segmentBytes(state, segment, rung);
}

const clip = (x: number, min: number, max: number): number => (x < min ? min : x > max ? max : x);
const ratio = (logarithm: number): number => clip(logarithm, -6, 6) / 2;

const times = (count: number, name: string): string[] => Array.from({ length: count }, () => name);

/** Names for people of the inputs that all rungs share, in the order of `writeContext`. */
export const CONTEXT_NAMES: readonly string[] = [
  'the buffer',
  'the buffer in segments',
  'the space below the buffer target',
  ...times(2, 'how much is left to play'),
  'the length of segments',
  ...times(2, 'the latency'),
  'how many downloads there were',
  'what the levels are worth',
  'how far apart the levels are',
  'how many levels there are',
  ...times(3, 'how the rates swing'),
  'how many downloads there were',
  ...times(HISTORY, 'how long downloads took'),
  ...times(2, 'how the link failed before'),
  'whether the connection was new',
  'the audio between the segments',
  'how much audio is loaded',
];

/** Name for the sum of the first and the third input of `CONTEXT_NAMES`. */
export const TARGET_NAME = 'the buffer target';

/** Names for people of the inputs of a rung, in the order of `writeRung`. */
export const RUNG_NAMES: readonly string[] = [
  ...times(HISTORY + 4, 'sizes against rates'),
  ...times(3, 'the buffer after the download'),
  ...times(3, 'what the levels are worth'),
  'the level before',
  ...times(2, 'what the levels are worth'),
  ...times(2, 'the ends of the ladder'),
  'the sizes of the segments after',
  'sizes against bitrates',
  'what the levels are worth',
];

/** Names of the inputs that are marked, each once. */
export function namesOf(context: Uint8Array, rung: Uint8Array): string[] {
  const found = new Set<string>();
  for (let at = 0; at < CONTEXT_INPUTS; at += 1) if (context[at]) found.add(CONTEXT_NAMES[at]!);
  for (let at = 0; at < RUNG_INPUTS; at += 1) if (rung[at]) found.add(RUNG_NAMES[at]!);
  return [...found];
}
