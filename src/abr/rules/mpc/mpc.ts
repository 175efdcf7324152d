import { qoeModels } from '../../../shared/qoe.ts';
import { pick } from '../../../shared/registry.ts';
import type { Ladder } from '../../ladder.ts';
import { mustBeCount, mustBePositive, type RuleBody, tunableRule } from '../../parameters.ts';
import { bestPlan } from './bestPlan.ts';
import {
  latencyAndRatePredictor,
  latencyMsOf,
  meanPredictor,
  worstCaseOf,
  type Prediction,
  type Predictor,
} from './predictors.ts';
import { downloadTimesMs, type Plan } from './planProblem.ts';
import type { Answer, Moment, MediaType, RuleContext } from '../../rule.ts';
import { segmentMsOf, sizesAreKnown } from '../../segmentBytes.ts';
import { unmeasured } from '../../answer.ts';
import { mbps, formatRung, seconds } from '../../format.ts';

/** What MPC rules can be set to. */
type MpcParameters = {
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
const MPC_PAPER: MpcParameters = {
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

/**
 * MPC that trusts its prediction: the best plan of the next five segments at the harmonic mean of the last five rates.
 * Called FastMPC wherever it is compared; the paper's FastMPC is the same plan read from a table that was made before,
 * which no machine of today needs.
 *
 * It differs in two points from the public code (`test/mpc.py` of Pensieve, without its discount). That code reads sizes one
 * segment too far, and it gives a tie to the last plan that it looks at. `bestPlan.ts` says what a tie is worth: HSDPA and
 * Envivio give 0.454 a segment here, 0.286 with ties to the highest rung.
 */
export const mpcFast = tunableRule(MPC_PAPER, (parameters) =>
  mpcRule(
    {
      id: 'mpc-fast',
      label: 'MPC (fast)',
      paper: 'Yin, Jindal, Sekar, Sinopoli, SIGCOMM 2015: MPC at the harmonic mean, not discounted',
    },
    parameters,
    (samples) => meanPredictor(samples, { discounts: false }),
  ),
);

/**
 * MPC for the worst rate that its recent errors let it expect: the best plan of the next five segments at
 *
 *     C_hm / (1 + largest error of the last 5)      error = |C_hm predicted − C measured| / C measured, first one 0
 *
 * No plan is worth less at a higher rate, so this is the best worst case over the interval of rates that the errors
 * span. The public code (`test/mpc.py` of Pensieve) differs in bugs that are not here: it reads sizes one segment too
 * far and carries the errors of one video over to the next (`start` begins anew), which together cost it 0.034 of
 * 0.885 a segment on HSDPA and Envivio; and ties go there to the last plan looked at (`bestPlan.ts`).
 */
export const mpcRobust = tunableRule(MPC_PAPER, (parameters) =>
  mpcRule(
    {
      id: 'mpc-robust',
      label: 'MPC (robust)',
      paper: 'Yin, Jindal, Sekar, Sinopoli, SIGCOMM 2015: RobustMPC',
    },
    parameters,
    (samples) => meanPredictor(samples, { discounts: true }),
  ),
);

/**
 * `mpc-robust`, but with the time to the first byte apart from the rate: a download takes latency + bytes / rate, each the
 * mean of the last five, times 1 + the largest recent error of that time. Where the latency is 0 the error of the time is
 * that of the rate, and it answers as `mpc-robust` does.
 */
export const mpcLatency = tunableRule(MPC_PAPER, (parameters) =>
  mpcRule(
    {
      id: 'mpc-latency',
      label: 'MPC (latency apart)',
      paper:
        'none: ours, RobustMPC of Yin et al., SIGCOMM 2015, after §V-C of Mondal and Chakraborty, IEEE Networking Letters 2020',
    },
    parameters,
    latencyAndRatePredictor,
  ),
);

/** Makes an MPC rule; MPC rules differ in their prediction alone. */
function mpcRule<Memory>(
  entry: Pick<RuleBody<MpcState<Memory>>, 'id' | 'label' | 'paper'>,
  parameters: MpcParameters,
  predictorOf: (samples: number) => Predictor<Memory>,
): RuleBody<MpcState<Memory>> {
  const { id, label, paper } = entry;
  checkParameters(id, parameters);
  const predictor = predictorOf(parameters.samples);
  const qoe = pick(qoeModels, parameters.qoe);
  const valued = (ladder: Ladder): Pick<MpcState<Memory>, 'qualities' | 'muPerMs'> => {
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
      memory: predictor.empty,
    }),
    observe(state, event) {
      if (event.kind === 'ladder')
        return { ...state, ladder: event.ladder, segmentMs: event.segmentMs, ...valued(event.ladder) };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const memory = predictor.after(state.memory, event);
      return memory === state.memory ? state : measured(state, memory);
    },
    decide(state, moment) {
      const prediction = predictor.of(state.memory);
      return prediction === null
        ? unmeasured(state.ladder, moment)
        : decided(state, moment, { parameters, prediction });
    },
  };
}

/** Written out: a spread of seven fields would cost more than the plan. */
function measured<Memory>(state: MpcState<Memory>, memory: Memory): MpcState<Memory> {
  const { mediaType, ladder, segmentMs, sizeBytes, qualities, muPerMs } = state;
  return { mediaType, ladder, segmentMs, sizeBytes, qualities, muPerMs, memory };
}

function decided(
  state: PlannedVideo,
  moment: Moment,
  { parameters, prediction }: { readonly parameters: MpcParameters; readonly prediction: Prediction },
): Answer {
  const { ladder, qualities, muPerMs } = state;
  const worst = worstCaseOf(prediction);
  const { segment, segmentsLeft, lastRung } = moment;
  const steps = Math.max(1, Math.min(parameters.horizon, segmentsLeft ?? parameters.horizon));
  const plan = bestPlan({
    steps,
    qualities,
    downloadMs: downloadTimesMs(state, { segment, steps, ...worst }),
    segmentMs: segmentMsOf(state),
    bufferMs: moment.bufferMs,
    lastRung: lastRung === null ? null : Math.min(lastRung, ladder.length - 1),
    muPerMs,
    variationWeight: parameters.variationWeight,
  });
  const values = {
    ...latencyMsOf(prediction),
    estimateKbps: prediction.rateKbps,
    errorMax: prediction.errorMax,
    budgetKbps: worst.rateKbps,
    planQoe: plan.value,
    planStallMs: plan.stallMs,
    planSegments: steps,
  };
  const facts = { plan, planSegments: steps, prediction };
  return { rung: plan.firstRung, because: () => formatPlan(state, segment, facts), values };
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

/** What plans need to know of a video. */
interface PlannedVideo {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly sizeBytes: RuleContext['sizeBytes'];
  /** q of each rung, and what a ms of stall costs of it. */
  readonly qualities: readonly number[];
  readonly muPerMs: number;
}

/** What MPC rules remember. */
interface MpcState<Memory> extends PlannedVideo {
  readonly memory: Memory;
}

interface PlanFacts {
  readonly plan: Plan;
  readonly planSegments: number;
  readonly prediction: Prediction;
}

/** Why MPC chose what it chose, and what it had to assume. */
function formatPlan(state: PlannedVideo, segment: number | null, facts: PlanFacts): string {
  const { plan, planSegments, prediction } = facts;
  const stall = plan.stallMs > 0 ? `stalls for ${seconds(plan.stallMs)}` : 'does not stall';
  const horizon = planSegments === 1 ? 'the next segment' : `the next ${planSegments} segments`;
  return (
    `${formatPrediction(prediction)}; the best plan for ${horizon} begins with ${formatRung(state.ladder, plan.firstRung)}, ` +
    `${stall} and has a predicted QoE of ${plan.value.toFixed(2)}${formatAssumption(state, segment, planSegments)}.`
  );
}

function formatPrediction(prediction: Prediction): string {
  const { downloads, latencyMs, rateKbps, errorMax: error } = prediction;
  const worst = worstCaseOf(prediction);
  const who = `The last ${downloads === 1 ? 'download predicts' : `${downloads} downloads predict`}`;
  const predicted =
    latencyMs === null
      ? `${who} ${mbps(rateKbps)}`
      : `${who} ${Math.round(latencyMs)} ms until the first byte and ${mbps(rateKbps)} after it`;
  if (error === null) return predicted;
  const discounted =
    latencyMs === null
      ? mbps(worst.rateKbps)
      : `${Math.round(worst.latencyMs)} ms and ${mbps(worst.rateKbps)}`;
  return `${predicted}, ${discounted} after a discount for errors of up to ${Math.round(error * 100)} %`;
}

function formatAssumption(state: PlannedVideo, segment: number | null, planSegments: number): string {
  const assumed = [];
  for (let step = 0; step < planSegments; step += 1)
    if (!sizesAreKnown(state, segment === null ? null : segment + step)) assumed.push(step);
  const of = assumed.length === planSegments ? '' : ` of ${assumed.length} of them`;
  const sizes = assumed.length > 0 ? ` (sizes${of} not known: bitrate × duration assumed)` : '';
  return state.segmentMs > 0
    ? sizes
    : `${sizes} (segments of unknown length are taken to be ${seconds(segmentMsOf(state))})`;
}
