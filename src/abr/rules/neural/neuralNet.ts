import { segmentMsOf } from '../../segmentBytes.ts';
import {
  CONTEXT_INPUTS,
  predictedRates,
  fullMs,
  RUNG_INPUTS,
  writeContext,
  writeRung,
  type Asked,
  namesOf,
  TARGET_NAME,
} from './netInputs.ts';
import type { NeuralWeights, TrainedRanges, NeuralLayers, Range } from './neuralWeights.ts';
import { runDense, rectify } from '../../neural/layers.ts';

/**
 * What scores the rungs: one net, or the mean of several that were trained apart (an ensemble:
 * Hansen and Salamon, IEEE TPAMI 12(10), 1990). Its arrays are scratch of one decision, kept so that none allocates them.
 */
export class NeuralNet {
  private readonly scorers: readonly RungScorer[];
  private readonly ranges: TrainedRanges | null;
  private readonly context = new Float32Array(CONTEXT_INPUTS);
  private rungs = new Float32Array(0);
  private scores = new Float32Array(0);
  /** Inputs of the last decision that are outside of what training saw. */
  private readonly oddContext = new Uint8Array(CONTEXT_INPUTS);
  private readonly oddRung = new Uint8Array(RUNG_INPUTS);
  private isOddTarget = false;

  constructor({ nets, ranges }: NeuralWeights) {
    this.scorers = nets.map((layers) => new RungScorer(layers));
    this.ranges = ranges;
  }

  /** A score per rung; overwritten by the next call. */
  scoresFor(asked: Asked): Float32Array {
    const count = asked.state.ladder.length;
    if (this.scores.length !== count) {
      this.scores = new Float32Array(count);
      this.rungs = new Float32Array(count * RUNG_INPUTS);
    }
    this.write(asked, count);
    const { context, rungs, scores, scorers } = this;
    const last = Math.min(asked.moment.lastRung ?? 0, count - 1);
    scores.fill(0);
    for (const scorer of scorers) scorer.addScores({ context, rungs, last }, scores);
    for (let rung = 0; rung < count; rung += 1) scores[rung]! /= scorers.length;
    return scores;
  }

  /** Whether the last decision was about something that training never saw; true where the weights do not say what it saw. */
  isOutside(): boolean {
    return (
      this.ranges === null || this.isOddTarget || this.oddContext.includes(1) || this.oddRung.includes(1)
    );
  }

  /** What of the last decision training never saw, in words; null where the weights do not say. */
  outside(): string[] | null {
    if (this.ranges === null) return null;
    const inputs = namesOf(this.oddContext, this.oddRung);
    return this.isOddTarget ? [...inputs, TARGET_NAME] : inputs;
  }

  private write(asked: Asked, count: number): void {
    const { context, rungs, ranges, oddContext, oddRung } = this;
    oddContext.fill(0);
    oddRung.fill(0);
    writeContext(context, asked);
    if (ranges) markOutside(oddContext, ranges.context, { inputs: context, at: 0 });
    this.isOddTarget =
      !!ranges?.bufferTargetS &&
      isBeyond(ranges.bufferTargetS, fullMs(asked.moment, segmentMsOf(asked.state)) / 1000);
    const rates = predictedRates(asked.measured);
    for (let rung = 0; rung < count; rung += 1) {
      const at = rung * RUNG_INPUTS;
      writeRung(rungs, asked, { rung, at, rates });
      if (ranges) markOutside(oddRung, ranges.rung, { inputs: rungs, at });
    }
  }
}

/** The inputs of a net: the context's numbers, and those of each rung, one rung after the other. */
interface NetInput {
  readonly context: Float32Array;
  readonly rungs: Float32Array;
  /** The rung of the segment before. */
  readonly last: number;
}

/**
 * A net over a set of rungs, so that one fits every ladder. Each rung is embedded with the context, gets the mean of
 * all rungs and the rung of the segment before, and gets a score; the softmax over the scores is the policy.
 *
 *     context ─┐                ┌─ mean over rungs ─┐
 *              ├─ embed (relu) ─┼─ last rung ───────┼─ mix (relu) ─ narrow (relu) ─ score
 *     rung ────┘                └───────────────────┘
 *
 * Its arrays are scratch of one decision, kept so that none allocates them.
 */
class RungScorer {
  private readonly layers: NeuralLayers;
  private readonly width: number;
  private readonly shared: Float32Array;
  private readonly mean: Float32Array;
  private readonly common: Float32Array;
  private readonly mixed: Float32Array;
  private readonly narrowed: Float32Array;
  private embedded = new Float32Array(0);

  constructor(layers: NeuralLayers) {
    this.layers = layers;
    this.width = layers.own.inputs;
    this.shared = new Float32Array(this.width);
    this.mean = new Float32Array(this.width);
    this.common = new Float32Array(this.width);
    this.mixed = new Float32Array(this.width);
    this.narrowed = new Float32Array(layers.narrow.outputs);
  }

  /** Adds a score per rung to `scores`. */
  addScores(reported: NetInput, scores: Float32Array): void {
    const rungs = scores.length;
    if (this.embedded.length !== rungs * this.width) this.embedded = new Float32Array(rungs * this.width);
    this.embed(reported, rungs);
    this.pool(reported.last, rungs);
    for (let rung = 0; rung < rungs; rung += 1) scores[rung]! += this.score(rung);
  }

  private embed({ context, rungs: input }: NetInput, rungs: number): void {
    const { shared, width, embedded, layers } = this;
    runDense(layers.context, { input: context, inputAt: 0 }, { output: shared, outputAt: 0 });
    for (let rung = 0; rung < rungs; rung += 1) {
      const outputAt = rung * width;
      runDense(layers.rung, { input, inputAt: rung * RUNG_INPUTS }, { output: embedded, outputAt });
      for (let at = 0; at < width; at += 1) embedded[outputAt + at]! += shared[at]!;
    }
    rectify(embedded);
  }

  /** What every rung receives from the others. */
  private pool(last: number, rungs: number): void {
    const { mean, width, embedded, common, shared } = this;
    mean.fill(0);
    for (let rung = 0; rung < rungs; rung += 1)
      for (let at = 0; at < width; at += 1) mean[at]! += embedded[rung * width + at]! / rungs;
    runDense(this.layers.mean, { input: mean, inputAt: 0 }, { output: common, outputAt: 0 });
    runDense(this.layers.last, { input: embedded, inputAt: last * width }, { output: shared, outputAt: 0 });
    for (let at = 0; at < width; at += 1) common[at]! += shared[at]!;
  }

  private score(rung: number): number {
    const { embedded, width, common, mixed, narrowed, layers } = this;
    runDense(layers.own, { input: embedded, inputAt: rung * width }, { output: mixed, outputAt: 0 });
    for (let at = 0; at < width; at += 1) mixed[at]! += common[at]!;
    rectify(mixed);
    runDense(layers.narrow, { input: mixed, inputAt: 0 }, { output: narrowed, outputAt: 0 });
    rectify(narrowed);
    const { kernel } = layers.score;
    let score = 0;
    for (let at = 0; at < narrowed.length; at += 1) score += narrowed[at]! * kernel[at]!;
    return score;
  }
}

/** How far an input may lie outside the range of training and still count as inside, as a share of that range. */
const MARGIN_SHARE = 0.02;
/** How far an input may lie outside its range in any case, for inputs that never changed in training. */
const MARGIN = 1e-3;

/** Marks in `found` which of the inputs at `at` lie outside their ranges. */
function markOutside(
  found: Uint8Array,
  ranges: readonly Range[],
  { inputs, at }: { readonly inputs: Float32Array; readonly at: number },
): void {
  for (let index = 0; index < ranges.length; index += 1)
    if (isBeyond(ranges[index]!, inputs[at + index]!)) found[index] = 1;
}

function isBeyond([min, max]: Range, value: number): boolean {
  const margin = MARGIN + MARGIN_SHARE * (max - min);
  return value < min - margin || value > max + margin;
}
