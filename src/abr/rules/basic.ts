import { emptyTotals, recentRateKbps, withRecent, type RecentTotals } from '../estimators/totalRate.ts';
import type { Ladder } from '../ladder.ts';
import { mustBeCount, mustBePositive, tunableRule } from '../parameters.ts';
import type { Answer, MediaType } from '../rule.ts';
import { unmeasured } from '../answer.ts';
import { mbps, formatRung } from '../format.ts';

interface State {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly totals: RecentTotals;
}

/** AStream's config: BASIC_DELTA_COUNT 5, BASIC_UPPER_THRESHOLD 1.2. */
const ASTREAM = { samples: 5, upperThreshold: 1.2 };

/**
 * BASIC of AStream in its last version (`basic_dash2`); the first one averaged over all segments. With d = total
 * bits / total time of the last 5 segments and R the bitrates:
 *
 *     d > 1.2 R_now: one rung up      else: the highest rung of the unbroken run from the bottom with d > 1.2 R
 *
 * The published rule oscillates, and we keep that because it is the rule: at a rate between R_now and 1.2 R_now it falls
 * back, one segment later it climbs again. It looks at no buffer.
 */
export const basic = tunableRule(ASTREAM, (parameters) => {
  mustBeCount('basic', parameters, 'samples');
  mustBePositive('basic', parameters, ['upperThreshold']);
  const { upperThreshold } = parameters;
  const empty = emptyTotals(parameters.samples);
  return {
    id: 'basic',
    label: 'BASIC',
    paper: 'AStream (Juluri, 2015), its basic_dash2, the baseline of SARA, ICCW 2015',
    start: ({ mediaType, ladder }): State => ({ mediaType, ladder, totals: empty }),
    observe(state, event) {
      if (event.kind === 'ladder') return { ...state, ladder: event.ladder };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const totals = withRecent(state.totals, event);
      if (totals === state.totals) return state;
      return { mediaType: state.mediaType, ladder: state.ladder, totals };
    },
    decide({ ladder, totals }, moment) {
      const estimateKbps = recentRateKbps(totals);
      if (estimateKbps === null) return unmeasured(ladder, moment);
      return measured(ladder, { estimateKbps, upperThreshold, lastRung: moment.lastRung });
    },
  };
});

interface Basis {
  readonly estimateKbps: number;
  readonly upperThreshold: number;
  readonly lastRung: number | null;
}

function measured(ladder: Ladder, { estimateKbps, upperThreshold, lastRung }: Basis): Answer {
  const top = ladder.length - 1;
  const budgetKbps = estimateKbps / upperThreshold;
  const now = Math.min(lastRung ?? 0, top);
  const climbs = budgetKbps > ladder[now]!.bitrateKbps;
  const rung = climbs ? Math.min(now + 1, top) : contiguousRung(ladder, budgetKbps);
  return {
    rung,
    because: () => {
      const verdict = climbs ? 'covers the present level, so one up' : 'does not cover the present level';
      return `The recent rate is ${mbps(estimateKbps)}; divided by ${upperThreshold}, ${mbps(budgetKbps)} ${verdict}: ${formatRung(ladder, rung)}.`;
    },
    values: { estimateKbps, budgetKbps, presentRung: now },
  };
}

/** The highest rung that is reached from the lowest without a gap; the lowest when not even that is covered. */
function contiguousRung(ladder: Ladder, budgetKbps: number): number {
  let rung = 0;
  while (rung + 1 < ladder.length && budgetKbps > ladder[rung + 1]!.bitrateKbps) rung += 1;
  return rung;
}
