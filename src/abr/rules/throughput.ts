import { emptyWindow, harmonicMean, withRate, type RateWindow, rateOf } from '../estimators/harmonicMean.ts';
import { highestRungWithin, type Ladder } from '../ladder.ts';
import { mustBeCount, mustBePositive, tunableRule } from '../parameters.ts';
import type { Answer, MediaType } from '../rule.ts';
import { unmeasured } from '../answer.ts';
import { mbps, formatRung } from '../format.ts';

interface State {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly window: RateWindow;
}

/**
 * Samples of the harmonic mean: 5, as in MPC and in Pensieve's throughput baseline. Share of the estimate that is
 * spent: all of it, as in that baseline; dash.js spends 0.9 of its own estimate (Settings.js, bandwidthSafetyFactor).
 */
const PAPER = { samples: 5, safetyFactor: 1 };

/** The plain throughput rule: the highest rung that the measured rate carries. Looks at no buffer and no size. */
export const throughput = tunableRule(PAPER, (parameters) => {
  mustBeCount('throughput', parameters, 'samples');
  mustBePositive('throughput', parameters, ['safetyFactor']);
  const { samples, safetyFactor } = parameters;
  const empty = emptyWindow(samples);
  return {
    id: 'throughput',
    label: 'Throughput',
    paper:
      'Harmonic-mean predictor of Jiang et al., CoNEXT 2012, and Yin et al., SIGCOMM 2015, without look-ahead',
    start: ({ mediaType, ladder }): State => ({ mediaType, ladder, window: empty }),
    observe(state, event) {
      if (event.kind === 'ladder') return { ...state, ladder: event.ladder };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const rateKbps = rateOf(event);
      if (rateKbps === null) return state;
      return {
        mediaType: state.mediaType,
        ladder: state.ladder,
        window: withRate(state.window, rateKbps),
      };
    },
    decide(state, moment) {
      const estimateKbps = harmonicMean(state.window);
      return estimateKbps === null
        ? unmeasured(state.ladder, moment)
        : measured(state, estimateKbps, safetyFactor);
    },
  };
});

function measured({ ladder, window }: State, estimateKbps: number, safetyFactor: number): Answer {
  const budgetKbps = estimateKbps * safetyFactor;
  const rung = highestRungWithin(ladder, budgetKbps);
  const samples = window.ratesKbps.length;
  return {
    rung,
    because: () => {
      const ran = samples === 1 ? 'The last download ran at' : `The last ${samples} downloads ran at`;
      const margin = safetyFactor === 1 ? '' : `; ${safetyFactor * 100} % of that is ${mbps(budgetKbps)}`;
      const fits = (ladder[rung]?.bitrateKbps ?? 0) <= budgetKbps;
      const verdict = fits ? 'is the highest level that fits' : 'is the lowest level, and none fits';
      return `${ran} ${mbps(estimateKbps)}${margin}; ${formatRung(ladder, rung)} ${verdict}.`;
    },
    values: { estimateKbps, budgetKbps, samples },
  };
}
