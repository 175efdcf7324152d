import type { Dense } from '../../neural/dense.ts';
import { CONTEXT_INPUTS, RUNG_INPUTS } from './netInputs.ts';

export const NEURAL_FORMAT = 'pitwall-neural/4';

export const NEURAL_LAYERS = ['context', 'rung', 'own', 'mean', 'last', 'narrow', 'score'] as const;
export type NeuralLayer = (typeof NEURAL_LAYERS)[number];

export type NeuralLayers = Readonly<Record<NeuralLayer, Dense>>;

/** What a file of weights holds. */
export interface NeuralWeights {
  readonly name: string;
  /** Numbers that a rung is embedded in. */
  readonly width: number;
  readonly narrow: number;
  /** One net, or several that were trained apart; what they say is averaged. */
  readonly nets: readonly NeuralLayers[];
  /** What the inputs were during training; null where the file does not say. */
  readonly ranges: TrainedRanges | null;
}

/** Least and most of each input over the decisions that the net was trained on. */
export interface TrainedRanges {
  readonly context: readonly Range[];
  readonly rung: readonly Range[];
  /**
   * Of the level at which the player waits (`fullMs`), s: no input, but the sum of two, and one of 4 s has both in
   * places that they take with one of 60 s. null where the file does not say.
   */
  readonly bufferTargetS: Range | null;
}
export type Range = readonly [min: number, max: number];

/** Inputs and outputs of each layer. */
export const neuralShapes = (
  width: number,
  narrow: number,
): Readonly<Record<NeuralLayer, readonly [inputs: number, outputs: number]>> => ({
  context: [CONTEXT_INPUTS, width],
  rung: [RUNG_INPUTS, width],
  own: [width, width],
  mean: [width, width],
  last: [width, width],
  narrow: [width, narrow],
  score: [narrow, 1],
});
