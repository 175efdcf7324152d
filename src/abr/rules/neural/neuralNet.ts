import { runDense, type Dense } from '../../neural/dense.ts';
import { rectify } from '../../neural/rectify.ts';
import { CONTEXT_INPUTS, foretold, RUNG_INPUTS, writeContext, writeRung, type Asked } from './netInputs.ts';
import { namesOf } from './inputNames.ts';
import type { NeuralLayer, NeuralWeights, TrainedRanges } from './neuralWeights.ts';
import { markOutside } from './outsideInputs.ts';

/**
 * A net over a set of rungs, so that one fits every ladder. Each rung is embedded with the context, hears the mean of all
 * rungs and the rung of the segment before, and gets a score; the softmax over the scores is the policy.
 *
 *     context ─┐                ┌─ mean over rungs ─┐
 *              ├─ embed (relu) ─┼─ last rung ───────┼─ mix (relu) ─ narrow (relu) ─ score
 *     rung ────┘                └───────────────────┘
 *
 * Its arrays are scratch of one decision, kept so that none allocates them.
 */
export class NeuralNet {
  private readonly layers: Readonly<Record<NeuralLayer, Dense>>;
  private readonly width: number;
  private readonly context = new Float32Array(CONTEXT_INPUTS);
  private readonly rung = new Float32Array(RUNG_INPUTS);
  private readonly shared: Float32Array;
  private readonly mean: Float32Array;
  private readonly common: Float32Array;
  private readonly mixed: Float32Array;
  private readonly narrowed: Float32Array;
  private readonly ranges: TrainedRanges | null;
  /** Inputs of the last decision that are outside of what training saw. */
  private readonly oddContext = new Uint8Array(CONTEXT_INPUTS);
  private readonly oddRung = new Uint8Array(RUNG_INPUTS);
  private embedded = new Float32Array(0);
  private scores = new Float32Array(0);

  constructor({ layers, width, narrow, ranges }: NeuralWeights) {
    this.layers = layers;
    this.width = width;
    this.ranges = ranges;
    this.shared = new Float32Array(width);
    this.mean = new Float32Array(width);
    this.common = new Float32Array(width);
    this.mixed = new Float32Array(width);
    this.narrowed = new Float32Array(narrow);
  }

  /** A score per rung; overwritten by the next call. */
  scoresFor(asked: Asked): Float32Array {
    const rungs = asked.state.ladder.length;
    if (this.scores.length !== rungs) {
      this.scores = new Float32Array(rungs);
      this.embedded = new Float32Array(rungs * this.width);
    }
    this.embed(asked, rungs);
    this.pool(Math.min(asked.moment.lastRung ?? 0, rungs - 1), rungs);
    for (let rung = 0; rung < rungs; rung += 1) this.scores[rung] = this.score(rung);
    return this.scores;
  }

  /** Whether the last decision was about something that training never saw; false where the weights do not say. */
  isOutside(): boolean {
    return this.oddContext.includes(1) || this.oddRung.includes(1);
  }

  /** What of the last decision training never saw, in words; null where the weights do not say. */
  outside(): string[] | null {
    return this.ranges && namesOf(this.oddContext, this.oddRung);
  }

  private embed(asked: Asked, rungs: number): void {
    const { context, rung: input, shared, width, embedded, ranges, oddContext, oddRung } = this;
    writeContext(context, asked);
    oddContext.fill(0);
    oddRung.fill(0);
    if (ranges) markOutside(oddContext, ranges.context, { inputs: context, at: 0 });
    runDense(this.layers.context, { input: context, inputAt: 0 }, { output: shared, outputAt: 0 });
    const rates = foretold(asked.measured);
    for (let rung = 0; rung < rungs; rung += 1) {
      writeRung(input, asked, { rung, at: 0, rates });
      if (ranges) markOutside(oddRung, ranges.rung, { inputs: input, at: 0 });
      const outputAt = rung * width;
      runDense(this.layers.rung, { input, inputAt: 0 }, { output: embedded, outputAt });
      for (let at = 0; at < width; at += 1) embedded[outputAt + at]! += shared[at]!;
    }
    rectify(embedded);
  }

  /** What every rung hears of the others. */
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
