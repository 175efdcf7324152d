import { segmentMsOf } from '../../segmentBytes.ts';
import {
  CONTEXT_INPUTS,
  predictedRates,
  fullMs,
  RUNG_INPUTS,
  writeContext,
  writeRung,
  type Asked,
} from './netInputs.ts';
import { namesOf, TARGET_NAME } from './inputNames.ts';
import type { NeuralWeights, TrainedRanges } from './neuralWeights.ts';
import { isBeyond, markOutside } from './outsideInputs.ts';
import { RungScorer } from './rungScorer.ts';

/**
 * What scores the rungs: one net, or several that were trained apart and whose mean errs less than each does (an ensemble:
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
