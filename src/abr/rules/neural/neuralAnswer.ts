import { exp } from '../../../shared/exactMath/exp.ts';
import { softmax } from '../../neural/softmax.ts';
import type { Answer } from '../../rule.ts';
import type { Bounds } from './bounds.ts';
import type { Asked } from './netInputs.ts';
import type { NeuralNet } from './neuralNet.ts';
import { formatNeural } from './formatNeural.ts';
import { weightiest, type Weighty } from './weightiest.ts';

/** A choice and all that explains it. */
export interface Explained {
  readonly asked: Asked;
  readonly rung: number;
  /** Where the net alone would have gone. */
  readonly wished: number;
  /** By rung, 1 in all. */
  readonly probabilities: Float32Array;
  /** Inputs that were never like this in training; null where the weights do not say. */
  readonly outside: readonly string[] | null;
  /** The three that the choice hung on most. */
  readonly reasons: readonly Weighty[];
}

/** The net's choice held within bounds. What explains it takes several runs of the net: it is worked out when read. */
export function neuralAnswer(
  net: NeuralNet,
  asked: Asked,
  { scores, bounds }: { readonly scores: Float32Array; readonly bounds: Bounds },
): Answer {
  const wished = highest(scores);
  const rung = Math.min(Math.max(wished, bounds.min), bounds.max);
  const outside = net.outside();
  const probabilities = scores.slice();
  softmax(probabilities);
  let explained: Explained | null = null;
  const explain = (): Explained =>
    (explained ??= {
      asked,
      rung,
      wished,
      probabilities,
      outside,
      reasons: weightiest(net, asked, probabilities),
    });
  return {
    rung,
    because: () => formatNeural(explain()),
    get values() {
      return valuesOf(explain());
    },
  };
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
  reasons,
}: Explained): NonNullable<Answer['values']> {
  return {
    probability: probabilities[rung]!,
    lastRateKbps: exp(asked.measured.rateLn[0]!),
    ...Object.fromEntries(reasons.map(({ id, share }) => [`movedBy${id}Share`, share])),
    outsideInputs: outside && outside.length,
    ...(wished !== rung && { wishedRung: wished }),
    ...Object.fromEntries(Array.from(probabilities, (share, each) => [`probability${each}`, share])),
  };
}
