import { qoeModels, type QoeModel } from '../../../shared/qoe.ts';

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

/** The same for the tree that was distilled from the net. */
export const TREE_ENTRY = {
  id: 'neural-tree',
  label: 'Neural tree',
  paper: 'A tree distilled from the rule neural, as PiTree does (Meng et al., ACM MM 2019); docs/neural.md',
} as const;

export type NeuralParameters = {
  /** The QoE that it decides for. */
  readonly qoe: string;
  readonly guard: string;
};

/** @throws Error in one sentence where the rule cannot run with a parameter */
export function readParameters({ qoe, guard }: NeuralParameters): { qoe: QoeModel; guard: Guard } {
  if (!isGuard(guard))
    throw new Error(`The parameter guard of neural is one of ${GUARDS.join(', ')}, not "${guard}".`);
  return { qoe: qoeOf(qoe, NEURAL_ENTRY.id), guard };
}

/** @throws Error in one sentence that names the rule */
export function qoeOf(id: string, rule: string): QoeModel {
  const qoe = qoeModels.find((model) => model.id === id);
  if (qoe) return qoe;
  const known = qoeModels.map((model) => model.id).join(', ');
  throw new Error(`The parameter qoe of ${rule} is one of ${known}, not "${id}".`);
}

const isGuard = (text: string): text is Guard => (GUARDS as readonly string[]).includes(text);
