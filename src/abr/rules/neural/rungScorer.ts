import { runDense } from '../../neural/dense.ts';
import { rectify } from '../../neural/rectify.ts';
import { RUNG_INPUTS } from './netInputs.ts';
import type { NeuralLayers } from './neuralWeights.ts';

/** The inputs of a net: the context's numbers, and those of each rung, one rung after the other. */
export interface NetInput {
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
export class RungScorer {
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
