import { qoeModels } from '../../../shared/qoe.ts';
import { pick } from '../../../shared/registry.ts';
import {
  emptyCheckedMean,
  errorMax,
  withMeasured,
  type CheckedMean,
  rateOf,
} from '../../estimators/harmonicMean.ts';
import type { Ladder } from '../../ladder.ts';
import { mustBeCount, mustBePositive, type RuleBody } from '../../parameters.ts';
import { bestPlan } from '../../planner/bestPlan.ts';
import { downloadTimesMs } from '../../planner/downloadTimes.ts';
import type { Answer, Moment } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import { unmeasured } from '../../answer.ts';
import type { MpcState } from './mpcState.ts';
import { formatPlan } from './formatPlan.ts';

/** What both MPC rules can be set to. */
export type MpcParameters = {
  /** Downloads in the harmonic mean, and errors looked back on. */
  readonly samples: number;
  /** Segments planned ahead; towards the end only those that are left. */
  readonly horizon: number;
  /** Id of the QoE in `qoe.ts` that plans are valued by. */
  readonly qoe: string;
  /** λ of Yin et al., eq. 5: 1 is balanced, 3 avoids instability. */
  readonly variationWeight: number;
  /** Times the QoE's own µ: 1 is balanced, 2 avoids rebuffering. */
  readonly stallWeight: number;
};

/** The paper's horizon and window with the QoE of Pensieve, by which MPC has been compared ever since. */
export const MPC_PAPER: MpcParameters = {
  samples: 5,
  horizon: 5,
  qoe: 'lin',
  variationWeight: 1,
  stallWeight: 1,
};

/**
 * The worst plan found on 20 rungs takes 1 ms at 5 segments, 13 ms at 6, 0.14 s at 7 and 1.5 s at 8 (a buffer of 1000 s
 * over a path of 100 kbit/s); the usual one at 8 takes 0.2 ms.
 */
const LONGEST_HORIZON = 8;

/** The rule that both are; `discounts` is all that they differ in. */
export function mpcRule(
  entry: Pick<RuleBody<MpcState>, 'id' | 'label' | 'paper'>,
  parameters: MpcParameters,
  { discounts }: { discounts: boolean },
): RuleBody<MpcState> {
  const { id, label, paper } = entry;
  checkParameters(id, parameters);
  const empty = emptyCheckedMean(parameters.samples);
  const qoe = pick(qoeModels, parameters.qoe);
  const valued = (ladder: Ladder): Pick<MpcState, 'qualities' | 'muPerMs'> => {
    const bitratesKbps = ladder.map((rung) => rung.bitrateKbps);
    return {
      qualities: qoe.qualities(bitratesKbps),
      muPerMs: (qoe.mu(bitratesKbps) * parameters.stallWeight) / 1000,
    };
  };
  return {
    id,
    label,
    paper,
    start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
      mediaType,
      ladder,
      segmentMs,
      sizeBytes,
      ...valued(ladder),
      mean: empty,
    }),
    observe(state, event) {
      if (event.kind === 'ladder')
        return { ...state, ladder: event.ladder, segmentMs: event.segmentMs, ...valued(event.ladder) };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const rateKbps = rateOf(event);
      return rateKbps === null ? state : measured(state, withMeasured(state.mean, rateKbps));
    },
    decide: (state, moment) => decided(state, moment, { parameters, discounts }),
  };
}

/** Written out: a spread of seven fields would cost more than the plan. */
function measured(state: MpcState, mean: CheckedMean): MpcState {
  const { mediaType, ladder, segmentMs, sizeBytes, qualities, muPerMs } = state;
  return { mediaType, ladder, segmentMs, sizeBytes, qualities, muPerMs, mean };
}

function decided(
  state: MpcState,
  moment: Moment,
  { parameters, discounts }: { parameters: MpcParameters; discounts: boolean },
): Answer {
  const { ladder, mean, qualities, muPerMs } = state;
  const estimateKbps = mean.predictedKbps;
  if (estimateKbps === null) return unmeasured(ladder, moment);
  const error = discounts ? errorMax(mean) : null;
  const budgetKbps = error === null ? estimateKbps : estimateKbps / (1 + error);
  const { segment, segmentsLeft, lastRung } = moment;
  const steps = Math.max(1, Math.min(parameters.horizon, segmentsLeft ?? parameters.horizon));
  const plan = bestPlan({
    steps,
    qualities,
    downloadMs: downloadTimesMs(state, { segment, steps, rateKbps: budgetKbps }),
    segmentMs: segmentMsOf(state),
    bufferMs: moment.bufferMs,
    lastRung: lastRung === null ? null : Math.min(lastRung, ladder.length - 1),
    muPerMs,
    variationWeight: parameters.variationWeight,
  });
  const values = {
    estimateKbps,
    errorMax: error,
    budgetKbps,
    planQoe: plan.value,
    planStallMs: plan.stallMs,
    planSegments: steps,
  };
  return { rung: plan.firstRung, because: () => formatPlan(state, segment, { plan, ...values }), values };
}

function checkParameters(id: string, parameters: MpcParameters): void {
  const { horizon, variationWeight, qoe } = parameters;
  mustBeCount(id, parameters, 'samples');
  if (!qoeModels.some((model) => model.id === qoe))
    throw new Error(
      `The parameter qoe of ${id} is one of ${qoeModels.map((model) => model.id).join(', ')}, not "${qoe}".`,
    );
  if (!Number.isInteger(horizon) || horizon < 1 || horizon > LONGEST_HORIZON)
    throw new Error(
      `The parameter horizon of ${id} is a whole number of segments from 1 to ${LONGEST_HORIZON}, not ${horizon}.`,
    );
  if (variationWeight < 0)
    throw new Error(`The parameter variationWeight of ${id} must not be below 0, as ${variationWeight} is.`);
  mustBePositive(id, parameters, ['stallWeight']);
}
