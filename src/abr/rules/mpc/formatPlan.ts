import type { Plan } from '../../planner/planProblem.ts';
import { segmentMsOf, sizesAreKnown } from '../../segmentBytes.ts';
import { mbps, formatRung, seconds } from '../../format.ts';
import type { MpcState } from './mpcState.ts';

export interface PlanFacts {
  readonly plan: Plan;
  readonly estimateKbps: number;
  /** Largest recent error by which the estimate was discounted; null for a rule that does not. */
  readonly errorMax: number | null;
  readonly budgetKbps: number;
  readonly planSegments: number;
}

/** Why MPC chose what it chose, and what it had to assume. */
export function formatPlan(state: MpcState, segment: number | null, facts: PlanFacts): string {
  const { plan, planSegments } = facts;
  const stall = plan.stallMs > 0 ? `stalls for ${seconds(plan.stallMs)}` : 'does not stall';
  const horizon = planSegments === 1 ? 'the next segment' : `the next ${planSegments} segments`;
  return (
    `${formatPrediction(state, facts)}; the best plan for ${horizon} begins with ${formatRung(state.ladder, plan.firstRung)}, ` +
    `${stall} and is worth ${plan.value.toFixed(2)}${formatAssumption(state, segment, planSegments)}.`
  );
}

function formatPrediction({ mean }: MpcState, { estimateKbps, errorMax, budgetKbps }: PlanFacts): string {
  const count = mean.window.ratesKbps.length;
  const predicted = `The last ${count === 1 ? 'download predicts' : `${count} downloads predict`} ${mbps(estimateKbps)}`;
  if (errorMax === null) return predicted;
  return `${predicted}, ${mbps(budgetKbps)} after a discount for errors of up to ${Math.round(errorMax * 100)} %`;
}

function formatAssumption(state: MpcState, segment: number | null, planSegments: number): string {
  const assumed = [];
  for (let step = 0; step < planSegments; step += 1)
    if (!sizesAreKnown(state, segment === null ? null : segment + step)) assumed.push(step);
  const of = assumed.length === planSegments ? '' : ` of ${assumed.length} of them`;
  const sizes = assumed.length > 0 ? ` (sizes${of} not known: bitrate × duration assumed)` : '';
  return state.segmentMs > 0
    ? sizes
    : `${sizes} (segments of unknown length are taken to be ${seconds(segmentMsOf(state))})`;
}
