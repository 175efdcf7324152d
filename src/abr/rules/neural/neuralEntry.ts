import { qoeModels, type QoeModel } from '../../../shared/qoe.ts';

/** What the rule is called, with weights and without. */
export const NEURAL_ENTRY = {
  id: 'neural',
  label: 'Neural',
  paper:
    'Trained here (docs/neural.md) on the task of Pensieve (Mao et al., SIGCOMM 2017), with inputs in ratios',
} as const;

/**
 * What holds the net back. Stalls cost more after stalls (`stalls`, `stallPrice.ts`); or the buffer bounds what it may choose where an
 * input lies outside of the training's range (`outside`), or always; or nothing does.
 */
const GUARDS = ['stalls', 'outside', 'always', 'off'] as const;
type Guard = (typeof GUARDS)[number];

/** Who sets the playback rate of live streams: the player by itself, or this rule. */
const LIVE = ['player', 'rate'] as const;
type Live = (typeof LIVE)[number];

export type NeuralParameters = {
  /** The QoE that it decides for. */
  readonly qoe: string;
  readonly guard: string;
  readonly live: string;
};

/** @throws Error in one sentence where the rule cannot run with a parameter */
export function readParameters({ qoe, guard, live }: NeuralParameters): {
  qoe: QoeModel;
  guard: Guard;
  live: Live;
} {
  if (!isOneOf(GUARDS, guard))
    throw new Error(`The parameter guard of neural is one of ${GUARDS.join(', ')}, not "${guard}".`);
  if (!isOneOf(LIVE, live))
    throw new Error(`The parameter live of neural is one of ${LIVE.join(', ')}, not "${live}".`);
  return { qoe: qoeOf(qoe), guard, live };
}

function qoeOf(id: string): QoeModel {
  const qoe = qoeModels.find((model) => model.id === id);
  if (qoe) return qoe;
  const known = qoeModels.map((model) => model.id).join(', ');
  throw new Error(`The parameter qoe of neural is one of ${known}, not "${id}".`);
}

const isOneOf = <Text extends string>(texts: readonly Text[], text: string): text is Text =>
  (texts as readonly string[]).includes(text);
