import { runDense, type Dense, rectify, softmax } from '../../neural/layers.ts';
import type { PensieveLayer, PensieveWeights } from './pensieveWeights.ts';

/** A branch per row of the state, in the order of the state and of the merging layer's inputs. */
const BRANCHES: readonly PensieveLayer[] = [
  'lastBitrate',
  'buffer',
  'rates',
  'downloadTimes',
  'nextSizes',
  'segmentsLeft',
];

/**
 * Pensieve's actor as its released weights really are: six dense branches, merged by a dense layer, all rectified, and a
 * softmax over the rungs. What the code calls 1D convolutions runs along a sequence of length 1 with the history as
 * channels, so only one tap of each kernel ever acts.
 *
 *     last bitrate ──┐
 *     buffer ────────┤
 *     rates ─────────┼─ 6 × width ─ merge ─ width ─ logits ─ softmax
 *     download times ┤
 *     next sizes ────┤
 *     segments left ─┘
 */
export class PensieveNet {
  /** Numbers in a state: last bitrate, buffer, rates, download times, next sizes, segments left, one after the other. */
  readonly inputs: number;
  private readonly branches: readonly Dense[];
  private readonly merge: Dense;
  private readonly logits: Dense;
  private readonly branched: Float32Array;
  private readonly merged: Float32Array;
  private readonly odds: Float32Array;

  constructor({ layers, width, ladderKbps }: PensieveWeights) {
    this.branches = BRANCHES.map((name) => layers[name]);
    this.merge = layers.merge;
    this.logits = layers.logits;
    this.inputs = this.branches.reduce((sum, { inputs }) => sum + inputs, 0);
    this.branched = new Float32Array(BRANCHES.length * width);
    this.merged = new Float32Array(width);
    this.odds = new Float32Array(ladderKbps.length);
  }

  /** The probability of each rung of the trained ladder. Overwritten by the next call. */
  oddsFor(input: Float32Array): Float32Array {
    let inputAt = 0;
    let outputAt = 0;
    for (const branch of this.branches) {
      runDense(branch, { input, inputAt }, { output: this.branched, outputAt });
      inputAt += branch.inputs;
      outputAt += branch.outputs;
    }
    rectify(this.branched);
    runDense(this.merge, { input: this.branched, inputAt: 0 }, { output: this.merged, outputAt: 0 });
    rectify(this.merged);
    runDense(this.logits, { input: this.merged, inputAt: 0 }, { output: this.odds, outputAt: 0 });
    softmax(this.odds);
    return this.odds;
  }
}
