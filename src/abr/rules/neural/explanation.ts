import { ln } from '../../../shared/exactMath/ln.ts';
import { softmax } from '../../neural/layers.ts';
import type { Asked } from './netInputs.ts';
import type { NeuralNet } from './neuralNet.ts';
import type { Measured } from './neuralState.ts';
import { sizeNote } from '../../segmentBytes.ts';
import { formatRung } from '../../format.ts';
import { formatPercent } from '../../../shared/format.ts';

/** A choice and all that explains it. */
export interface Explained {
  readonly asked: Asked;
  readonly rung: number;
  /** Where the net alone would have gone. */
  readonly wished: number;
  /** Probability of each rung; their sum is 1. */
  readonly probabilities: Float32Array;
  /** Inputs that were never like this in training; null where the weights do not say. */
  readonly outside: readonly string[] | null;
  /** How many times as much a stall counts as in the QoE. */
  readonly stallPrice: number;
  /** The three groups of inputs that the choice depended on most. */
  readonly reasons: readonly Weighty[];
}

/** Why, in sentences: the odds, what they hung on, the guard, and what the net never saw in training. */
export function formatNeural(explained: Explained): string {
  const { asked, wished, rung, probabilities } = explained;
  const { state, moment } = asked;
  const odds = `The net gives ${formatRung(state.ladder, wished)} a probability of ${formatPercent(probabilities[wished]!)}, more than any other${sizeNote(state, moment.segment)}.`;
  return [
    odds,
    formatReason(explained),
    formatGuard(rung, wished),
    formatPrice(explained),
    formatOutside(explained),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

/** Below this a hidden input moves nothing that anybody sees. */
const NOTHING = 0.005;

function formatReason({ reasons }: Explained): string {
  const reported = reasons.filter(({ share }) => share >= NOTHING);
  if (reported.length === 0) return 'No single input, set to a typical value, would change that.';
  const each = reported.map(({ label, share }) => `${label} (${formatPercent(share)})`);
  return `What mattered most: ${each.join(', ')}. The percentage is the part of the probability that moves when that input is set to a typical value.`;
}

function formatGuard(rung: number, wished: number): string {
  if (rung === wished) return '';
  return rung < wished
    ? `The guard takes level ${rung + 1} instead: at the slowest recent rate a higher level would empty the buffer.`
    : `The guard takes level ${rung + 1} instead: even at the slowest recent rate this level downloads twice as fast as it plays, and the buffer is half full.`;
}

const formatPrice = ({ stallPrice }: Explained): string =>
  stallPrice > 1
    ? `After the stalls of the last minutes a stall counts ${stallPrice.toFixed(1)} times as much as in the QoE.`
    : '';

const formatOutside = ({ outside }: Explained): string =>
  outside !== null && outside.length > 0 ? `Outside what it was trained on: ${outside.join(', ')}.` : '';

/** A group of the net's inputs, and how much its answer depends on it. */
interface Weighty {
  /** Id of the group, as in the names of logged values. */
  readonly id: string;
  readonly label: string;
  /** Share of the probability that lies on other rungs once this is hidden: half the sum of the differences, 0 to 1. */
  readonly share: number;
}

const SHOWN = 3;

/**
 * Measures by occlusion: sets one group of inputs to a middling value, keeps the others, and counts what moves. It does
 * not use a gradient, because a net of rectifiers has none where it is flat.
 */
export function weightiest(net: NeuralNet, asked: Asked, probabilities: Float32Array): Weighty[] {
  return HIDINGS.map(({ id, label, hidden }) => {
    const others = net.scoresFor(hidden(asked)).slice();
    softmax(others);
    let moved = 0;
    for (let rung = 0; rung < others.length; rung += 1)
      moved += Math.abs(others[rung]! - probabilities[rung]!);
    return { id, label, share: moved / 2 };
  })
    .sort((one, other) => other.share - one.share)
    .slice(0, SHOWN);
}

interface Hiding {
  readonly id: string;
  readonly label: string;
  readonly hidden: (asked: Asked) => Asked;
}

const HIDINGS: readonly Hiding[] = [
  {
    id: 'Buffer',
    label: 'the buffer',
    hidden: (asked) => withBuffer(asked, asked.moment.bufferTargetMs / 2),
  },
  {
    id: 'Rates',
    label: 'how high the rates were',
    hidden: (asked) => measuredAs(asked, atMiddleRate(asked)),
  },
  {
    id: 'Swings',
    label: 'how the rates swung',
    hidden: (asked) => measuredAs(asked, levelled(asked.measured)),
  },
  {
    id: 'Drops',
    label: 'how the link failed before',
    hidden: (asked) => measuredAs(asked, { lowestLn: asked.measured.slowMean, dropShare: 0 }),
  },
  {
    id: 'LastRung',
    label: 'the level before',
    hidden: (asked) => atMoment(asked, { lastRung: middle(asked) }),
  },
  {
    id: 'Sizes',
    label: 'the sizes of segments',
    hidden: (asked) => ({ ...asked, state: { ...asked.state, sizeBytes: () => null } }),
  },
  {
    id: 'Latency',
    label: 'the latency',
    hidden: (asked) => measuredAs(asked, { latencyLn: 0, latencyMeanLn: 0 }),
  },
  {
    id: 'Carrier',
    label: 'whether the connection was new',
    hidden: (asked) => measuredAs(asked, { isNew: false }),
  },
  {
    id: 'SegmentsLeft',
    label: 'how much is left to play',
    hidden: (asked) => atMoment(asked, { segmentsLeft: null }),
  },
  {
    id: 'Audio',
    label: 'the audio between the segments',
    hidden: (asked) => ({ ...asked, state: { ...asked.state, h2AudioKbps: 0 } }),
  },
  {
    id: 'AudioBuffer',
    label: 'how much audio is loaded',
    hidden: (asked) => withAudioAhead(asked, 0),
  },
];

const middle = ({ state }: Asked): number => Math.floor((state.ladder.length - 1) / 2);

const atMoment = (asked: Asked, changes: Partial<Asked['moment']>): Asked => ({
  ...asked,
  moment: { ...asked.moment, ...changes },
});

/** Audio is ahead of the video as before, or behind it. */
const withBuffer = (asked: Asked, bufferMs: number): Asked => {
  const { audioBufferMs, bufferMs: wasMs } = asked.moment;
  const changed = atMoment(asked, { bufferMs });
  return audioBufferMs === undefined ? changed : withAudioAhead(changed, audioBufferMs - wasMs);
};

const withAudioAhead = (asked: Asked, aheadMs: number): Asked =>
  asked.moment.audioBufferMs === undefined
    ? asked
    : atMoment(asked, { audioBufferMs: asked.moment.bufferMs + aheadMs });

const measuredAs = (asked: Asked, changes: Partial<Measured>): Asked => ({
  ...asked,
  measured: { ...asked.measured, ...changes },
});

/** Returns the measured downloads as over a path that on average carries just the middle rung. */
function atMiddleRate(asked: Asked): Partial<Measured> {
  const { rateLn, tookLn, slowMean, fastMean, lowestLn } = asked.measured;
  const more = ln(asked.state.ladder[middle(asked)]!.bitrateKbps) - slowMean;
  return {
    rateLn: rateLn.map((each) => each + more),
    tookLn: tookLn.map((each) => each - more),
    slowMean: slowMean + more,
    fastMean: fastMean + more,
    lowestLn: lowestLn + more,
  };
}

/** Returns the measured downloads as if each had come at the mean rate: a slow one then takes less time than it took. */
const levelled = ({ rateLn, tookLn, slowMean }: Measured): Partial<Measured> => ({
  rateLn: rateLn.map(() => slowMean),
  tookLn: tookLn.map((each, at) => each + rateLn[at]! - slowMean),
  fastMean: slowMean,
  slowVariance: 0,
  fastVariance: 0,
});
