import { ok, type Result } from '../../../shared/result.ts';
import type { Rule, Answer } from '../../rule.ts';
import { tunableRule, type RuleBody } from '../../parameters.ts';
import { unmeasured } from '../../answer.ts';
import { NEURAL_ENTRY, readParameters, type NeuralParameters } from './neuralEntry.ts';
import { neuralFold, type NeuralState, latencyMsOf } from './neuralState.ts';
import { NeuralNet } from './neuralNet.ts';
import { type NeuralWeights, readNeuralWeights } from './neuralWeights.ts';
import { exp } from '../../../shared/exactMath/exp.ts';
import { softmax } from '../../neural/layers.ts';
import { type Asked, fullMs, predictedRates } from './netInputs.ts';
import { formatNeural, weightiest, type Explained } from './explanation.ts';
import { choosePlaybackRate, formatPlaybackRate } from '../../playbackRate.ts';
import { segmentBytes, segmentMsOf } from '../../segmentBytes.ts';
import { atPrice, stallPrice } from './stallPrice.ts';

/**
 * The net at work. It scores each rung by what the rung would cost and be worth, in ratios and in seconds of stall, and
 * takes the one with the highest score, of equal ones the lowest; then the guard may hold that within `boundsOf`.
 */
export function weightedNeural(parameters: NeuralParameters, text: string): Result<Rule<NeuralState>> {
  const weights = readNeuralWeights(text);
  return weights.ok ? ok(weighted(parameters, weights.value)) : weights;
}

const weighted = ({ qoe, guard, live }: NeuralParameters, weights: NeuralWeights): Rule<NeuralState> =>
  tunableRule({ qoe, guard, live, weights: weights.name }, (parameters) => {
    if (parameters.weights !== weights.name)
      throw new Error(`The parameter weights of neural is the name of its net, ${weights.name}.`);
    return bodyOf(parameters, weights);
  });

function bodyOf(parameters: NeuralParameters, weights: NeuralWeights): RuleBody<NeuralState> {
  const { qoe, guard, live } = readParameters(parameters);
  const net = new NeuralNet(weights);
  return {
    ...NEURAL_ENTRY,
    ...(live === 'rate' && { setsPlaybackRate: true as const }),
    ...neuralFold(qoe),
    decide(state, moment) {
      const { measured } = state;
      if (measured === null) return unmeasured(state.ladder, moment);
      const price = guard === 'stalls' ? stallPrice(state.stalled, moment.nowMs) : 1;
      const asked = { state: atPrice(state, price), measured, moment };
      const scores = net.scoresFor(asked);
      const guarded = guard === 'always' || (guard === 'outside' && net.isOutside());
      return neuralAnswer(net, asked, { scores, price, bounds: guarded ? boundsOf(asked) : UNBOUNDED });
    },
  };
}

/** The net's choice held within bounds. What explains it takes several runs of the net: it is worked out when read. */
function neuralAnswer(
  net: NeuralNet,
  asked: Asked,
  {
    scores,
    price,
    bounds,
  }: { readonly scores: Float32Array; readonly price: number; readonly bounds: Bounds },
): Answer {
  const wished = highest(scores);
  const rung = Math.min(Math.max(wished, bounds.min), bounds.max);
  const outside = net.outside();
  const probabilities = scores.slice();
  softmax(probabilities);
  let explained: Explained | null = null;
  const live = rateFor(asked, rung);
  const explain = (): Explained =>
    (explained ??= {
      asked,
      rung,
      wished,
      probabilities,
      outside,
      stallPrice: price,
      reasons: weightiest(net, asked, probabilities),
    });
  return {
    rung,
    ...(live && { playbackRate: live.rate }),
    because: () => [formatNeural(explain()), ...(live ? [live.because()] : [])].join(' '),
    get values() {
      return { ...valuesOf(explain()), ...live?.values };
    },
  };
}

/**
 * The playback rate until the next decision, if the segment at this rung comes a standard deviation slower than the mean of the
 * downloads so far; null where the rule may set none.
 */
function rateFor({ state, measured, moment }: Asked, rung: number): ChosenRate | null {
  const { live, liveLatencyMs: latencyMs, bufferMs } = moment;
  if (!live) return null;
  const bodyMs = (segmentBytes(state, moment.segment, rung) * 8) / exp(predictedRates(measured).low);
  const downloadMs = latencyMsOf(measured.latencyLn) + bodyMs;
  const forecast = { live, latencyMs, bufferMs, segmentMs: segmentMsOf(state), downloadMs };
  const choice = choosePlaybackRate(forecast);
  const { rate, bufferAfterMs, latencyAfterMs } = choice;
  return {
    rate,
    because: () => formatPlaybackRate(choice, forecast),
    values: { targetLatencyMs: live.targetMs, downloadMs, bufferAfterMs, latencyAfterMs },
  };
}

interface ChosenRate {
  readonly rate: number;
  because(): string;
  readonly values: Readonly<Record<string, number | null>>;
}

function highest(scores: Float32Array): number {
  let rung = 0;
  for (let each = 1; each < scores.length; each += 1) if (scores[each]! > scores[rung]!) rung = each;
  if (!scores.every(Number.isFinite))
    throw new Error('The net of neural has no finite answer to this state: its weights are too large.');
  return rung;
}

function valuesOf({
  asked,
  rung,
  wished,
  probabilities,
  outside,
  stallPrice: price,
  reasons,
}: Explained): NonNullable<Answer['values']> {
  return {
    probability: probabilities[rung]!,
    lastRateKbps: exp(asked.measured.rateLn[0]!),
    ...Object.fromEntries(reasons.map(({ id, share }) => [`movedBy${id}Share`, share])),
    outsideInputs: outside && outside.length,
    ...(price > 1 && { stallPrice: price }),
    ...(wished !== rung && { wishedRung: wished }),
    ...Object.fromEntries(Array.from(probabilities, (share, each) => [`probability${each}`, share])),
  };
}

/** Rungs, both included. */
interface Bounds {
  readonly min: number;
  readonly max: number;
}

const UNBOUNDED: Bounds = { min: 0, max: Infinity };

/** Downloads whose lowest rate counts: as many as MPC looks back on (Yin et al., SIGCOMM 2015, §5.2). */
const LOOK_BACK = 5;
/** Share of the level at which the player waits above which a rung that lasts is worth more than a fuller buffer. */
const FULL_SHARE = 0.5;
/** How much faster than it plays a rung has to come before a lower one is refused. */
const MARGIN = 2;
/** How much faster than it plays a rung has to come to be allowed whatever the buffer: after a seek there is none. */
const AT_ONCE = 4;

/**
 * What the buffer allows, if the next segment comes as slowly as the slowest of the last five: no rung above the
 * highest that would not empty it or comes four times as fast as it plays, and no rung lower than one that leaves it
 * half full and comes twice as fast as it plays. The first always leaves the lowest rung, and the second asks for no
 * more than the first allows. Measured with and without in docs/neural.md. In the spirit of the buffer-based rules
 * (Huang et al., SIGCOMM 2014), with sizes instead of a map.
 */
export function boundsOf({ state, measured, moment }: Asked): Bounds {
  const slowest = exp(Math.min(...measured.rateLn.slice(0, LOOK_BACK)));
  const latencyMs = latencyMsOf(measured.latencyLn);
  const segmentMs = segmentMsOf(state);
  const sparedMs = Math.min(segmentMs / MARGIN, moment.bufferMs - FULL_SHARE * fullMs(moment, segmentMs));
  const heldMs = Math.max(moment.bufferMs, segmentMs / AT_ONCE);
  let min = 0;
  let max = 0;
  for (let rung = 1; rung < state.ladder.length; rung += 1) {
    const tookMs = latencyMs + (segmentBytes(state, moment.segment, rung) * 8) / slowest;
    if (tookMs <= heldMs) max = rung;
    if (tookMs <= sparedMs) min = rung;
  }
  return { min: Math.min(min, max), max };
}
