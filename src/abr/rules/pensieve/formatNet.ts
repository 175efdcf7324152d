import type { Moment } from '../../rule.ts';
import { sizeNote } from '../../segmentBytes.ts';
import { mbps, formatRung } from '../../format.ts';
import type { PensieveState } from './pensieveState.ts';
import type { PensieveWeights } from './pensieveWeights.ts';

export interface NetAnswer {
  readonly rung: number;
  readonly probability: number;
  readonly state: PensieveState;
  readonly moment: Moment;
}

/** Formats what the net answered, and how its inputs were scaled where the ladder is not its own. */
export function formatNet(weights: PensieveWeights, { rung, probability, state, moment }: NetAnswer): string {
  const odds = `a probability of ${Math.round(probability * 100)} %, more than any other`;
  return `The net "${weights.name}" gives ${formatRung(state.ladder, rung)} ${odds}${ladderNote(state, weights)}${sizeNote(state, moment.segment)}.`;
}

/** Empty on the ladder that the net was trained on. */
function ladderNote({ ladder, trained }: PensieveState, { ladderKbps }: PensieveWeights): string {
  const same =
    ladder.length === ladderKbps.length &&
    ladder.every(({ bitrateKbps }, rung) => bitrateKbps === ladderKbps[rung]);
  if (same) return '';
  const from = `${ladderKbps.length} rungs from ${mbps(ladderKbps[0]!)} to ${mbps(ladderKbps.at(-1)!)}`;
  const scale = Number(trained.scale.toPrecision(3));
  return ` (it was trained on ${from}; rates and sizes are read × ${scale}, and each of its rungs stands for the nearest here)`;
}
