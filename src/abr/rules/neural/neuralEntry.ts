import { qoeModels, type QoeModel } from '../../../qoe.ts';

/** What the rule is called, with weights and without. */
export const NEURAL_ENTRY = {
  id: 'neural',
  label: 'Neural',
  paper:
    'Trained here (docs/neural.md) on the task of Pensieve (Mao et al., SIGCOMM 2017), with inputs in ratios',
} as const;

/** When the buffer bounds what the net may choose. */
export const GUARDS = ['outside', 'always', 'off'] as const;
export type Guard = (typeof GUARDS)[number];

export type NeuralParameters = {
  /** The QoE that it decides for. */
  readonly qoe: string;
  readonly guard: string;
};

/** @throws Error in one sentence where the rule cannot run with a parameter */
export function readParameters({ qoe: id, guard }: NeuralParameters): { qoe: QoeModel; guard: Guard } {
  const qoe = qoeModels.find((model) => model.id === id);
  if (!qoe)
    throw new Error(
      refusal(
        'qoe',
        qoeModels.map((model) => model.id),
        id,
      ),
    );
  if (!isGuard(guard)) throw new Error(refusal('guard', GUARDS, guard));
  return { qoe, guard };
}

const isGuard = (text: string): text is Guard => (GUARDS as readonly string[]).includes(text);

const refusal = (name: string, known: readonly string[], given: string): string =>
  `The parameter ${name} of neural is one of ${known.join(', ')}, not "${given}".`;
