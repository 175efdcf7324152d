import { unmeasured } from '../answer.ts';
import {
  emptyLatencyAndRate,
  predictedOf,
  withTimed,
  type LatencyAndRate,
  type LatencyAndRatePrediction,
} from '../estimators/latencyAndRate.ts';
import { formatRung, mbps, seconds } from '../format.ts';
import { highestRungWithin, type Ladder } from '../ladder.ts';
import { mustBeCount, mustBePositive, tunableRule } from '../parameters.ts';
import type { Answer, MediaType } from '../rule.ts';
import { segmentMsOf } from '../segmentBytes.ts';

interface State {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly estimate: LatencyAndRate;
}

/** As those of `throughput`, so that both differ in one thing. */
const DEFAULTS = { samples: 5, safetyFactor: 1 };

/**
 * `throughput`, but with the time to the first byte apart from the rate: the highest rung whose segment, after the latency,
 * arrives within its own length. At a bitrate r a segment of length L needs latency + r × L / rate ≤ L, so
 *
 *     r ≤ rate × (1 − latency / L)
 *
 * Where the latency is 0 it answers as `throughput` does.
 */
export const throughputLatency = tunableRule(DEFAULTS, (parameters) => {
  mustBeCount('throughput-latency', parameters, 'samples');
  mustBePositive('throughput-latency', parameters, ['safetyFactor']);
  const empty = emptyLatencyAndRate(parameters.samples);
  return {
    id: 'throughput-latency',
    label: 'Throughput (latency apart)',
    paper: 'none: ours, after §V-C of Mondal and Chakraborty, IEEE Networking Letters 2020',
    start: ({ mediaType, ladder, segmentMs }): State => ({ mediaType, ladder, segmentMs, estimate: empty }),
    observe(state, event) {
      if (event.kind === 'ladder') return { ...state, ladder: event.ladder, segmentMs: event.segmentMs };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const { mediaType, ladder, segmentMs } = state;
      return { mediaType, ladder, segmentMs, estimate: withTimed(state.estimate, event) };
    },
    decide(state, moment) {
      const predicted = predictedOf(state.estimate);
      return predicted === null
        ? unmeasured(state.ladder, moment)
        : measured(state, predicted, parameters.safetyFactor);
    },
  };
});

function measured(state: State, predicted: LatencyAndRatePrediction, safetyFactor: number): Answer {
  const { ladder, estimate } = state;
  const { latencyMs, rateKbps } = predicted;
  const share = Math.max(0, 1 - latencyMs / segmentMsOf(state));
  const budgetKbps = rateKbps * share * safetyFactor;
  const rung = highestRungWithin(ladder, budgetKbps);
  const samples = estimate.rates.ratesKbps.length;
  return {
    rung,
    because: () => {
      const sent = samples === 1 ? 'The last download predicts' : `The last ${samples} downloads predict`;
      const margin = safetyFactor === 1 ? '' : ` (${safetyFactor * 100} % of what fits)`;
      const length =
        state.segmentMs > 0
          ? ''
          : ` (segments of unknown length are taken to be ${seconds(segmentMsOf(state))})`;
      const fits = (ladder[rung]?.bitrateKbps ?? 0) <= budgetKbps;
      const verdict = fits ? 'is the highest level that fits' : 'is the lowest level, and none fits';
      return (
        `${sent} ${Math.round(latencyMs)} ms until the first byte and ${mbps(rateKbps)} after it, so a segment may have ` +
        `${mbps(budgetKbps)}${margin}; ${formatRung(ladder, rung)} ${verdict}${length}.`
      );
    },
    values: { latencyMs, estimateKbps: rateKbps, budgetKbps, samples },
  };
}
