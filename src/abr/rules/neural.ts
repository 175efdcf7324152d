import { ok } from '../../result.ts';
import { qoeModels } from '../../qoe.ts';
import { softmax } from '../neural/softmax.ts';
import type { Ladder } from '../ladder.ts';
import type { Answer, Rule } from '../rule.ts';
import { sizeNote } from '../segmentBytes.ts';
import { tunableRule, type RuleBody } from '../tunableRule.ts';
import { unmeasured } from '../unmeasured.ts';
import { rungWords } from '../words.ts';
import type { Asked } from './neural/netInputs.ts';
import { NeuralNet } from './neural/neuralNet.ts';
import { withDownload, type NeuralState } from './neural/neuralState.ts';
import type { NeuralWeights } from './neural/neuralWeights.ts';
import { readNeuralWeights } from './neural/readNeuralWeights.ts';

type NeuralParameters = { readonly qoe: string };

/**
 * A net trained by playing (train/ of this repository): one set of weights for any ladder, segment length and QoE,
 * because it scores each rung by what the rung would cost and be worth, in ratios and in seconds of stall. It takes the
 * rung with the highest score; of equal ones the lowest.
 */
export const neural: Rule<NeuralState> = tunableRule<NeuralParameters, NeuralState>(
  { qoe: 'lin' },
  (parameters) => ({
    ...bodyOf(parameters, null),
    withWeights(text) {
      const weights = readNeuralWeights(text);
      return weights.ok ? ok(weighted(parameters, weights.value)) : weights;
    },
  }),
);

const weighted = ({ qoe }: NeuralParameters, weights: NeuralWeights): Rule<NeuralState> =>
  tunableRule({ qoe, weights: weights.name }, (parameters) => {
    if (parameters.weights !== weights.name)
      throw new Error(`The parameter weights of neural is the name of its net, ${weights.name}.`);
    return bodyOf(parameters, new NeuralNet(weights));
  });

function bodyOf({ qoe: id }: NeuralParameters, net: NeuralNet | null): RuleBody<NeuralState> {
  const qoe = qoeModels.find((model) => model.id === id);
  if (!qoe)
    throw new Error(
      `The parameter qoe of neural is one of ${qoeModels.map((model) => model.id).join(', ')}, not "${id}".`,
    );
  const worthOf = (ladder: Ladder): number[] => {
    const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
    const mu = qoe.mu(bitratesKbps);
    return qoe.qualities(bitratesKbps).map((quality) => quality / mu);
  };
  return {
    id: 'neural',
    label: 'Neural',
    paper:
      'Trained here with PPO (Schulman et al., 2017) on the state of Pensieve (Mao et al., SIGCOMM 2017), in ratios',
    start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
      mediaType,
      ladder,
      segmentMs,
      sizeBytes,
      worth: worthOf(ladder),
      measured: null,
    }),
    observe(state, event) {
      if (event.kind === 'ladder')
        return { ...state, ladder: event.ladder, segmentMs: event.segmentMs, worth: worthOf(event.ladder) };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      return { ...state, measured: withDownload(state.measured, event) };
    },
    decide(state, moment) {
      if (net === null)
        throw new Error('The rule neural needs a file of weights before it can decide; it was given none.');
      const { measured } = state;
      if (measured === null) return unmeasured(state.ladder, moment);
      const asked = { state, measured, moment };
      return answerOf(net.scoresFor(asked), asked);
    },
  };
}

function answerOf(scores: Float32Array, { state, measured, moment }: Asked): Answer {
  let rung = 0;
  for (let each = 1; each < scores.length; each += 1) if (scores[each]! > scores[rung]!) rung = each;
  if (!Number.isFinite(scores[rung]!))
    throw new Error('The net of neural has no finite answer to this state: its weights are too large.');
  softmax(scores);
  const probability = scores[rung]!;
  return {
    rung,
    because: () =>
      `The net gives ${rungWords(state.ladder, rung)} a probability of ${Math.round(probability * 100)} %, more than any other${sizeNote(state, moment.segment)}.`,
    values: { probability, lastRateKbps: Math.exp(measured.rateLn[0]!) },
  };
}
