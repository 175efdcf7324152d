import type { Dense } from '../../neural/dense.ts';

export const PENSIEVE_FORMAT = 'pitwall-pensieve/1';

/** The layers of the actor: a branch per row of the state, the layer that merges them, and the logits. */
export const PENSIEVE_LAYERS = [
  'lastBitrate',
  'buffer',
  'rates',
  'downloadTimes',
  'nextSizes',
  'segmentsLeft',
  'merge',
  'logits',
] as const;
export type PensieveLayer = (typeof PENSIEVE_LAYERS)[number];

/** What each row of the state is divided by before the net sees it; unit in the name. */
export const PENSIEVE_DIVISORS = [
  'bitrateKbps',
  'bufferMs',
  'rateKbps',
  'downloadMs',
  'sizeBytes',
  'segmentsLeft',
] as const;
export type PensieveDivisors = Readonly<Record<(typeof PENSIEVE_DIVISORS)[number], number>>;

/** A trained actor, as read from its file (docs/pensieve-weights.md). */
export interface PensieveWeights {
  readonly name: string;
  /** The ladder that it was trained on, ascending; it has one output per rung. */
  readonly ladderKbps: readonly number[];
  /** How many downloads it looks back on: 8 in the paper. */
  readonly history: number;
  /** Outputs of each branch and of the merging layer: 128 in the paper. */
  readonly width: number;
  readonly divisors: PensieveDivisors;
  readonly layers: Readonly<Record<PensieveLayer, Dense>>;
}

/** Inputs and outputs of every layer, from the few numbers that decide them. */
export function pensieveShapes(
  rungs: number,
  history: number,
  width: number,
): Record<PensieveLayer, readonly [inputs: number, outputs: number]> {
  return {
    lastBitrate: [1, width],
    buffer: [1, width],
    rates: [history, width],
    downloadTimes: [history, width],
    nextSizes: [rungs, width],
    segmentsLeft: [1, width],
    merge: [6 * width, width],
    logits: [width, rungs],
  };
}
