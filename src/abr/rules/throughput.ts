import { emptyWindow, harmonicMean, withRate, type RateWindow } from '../estimators/harmonicMean.ts';
import { highestRungWithin, type Ladder } from '../ladder.ts';
import type { Answer, DownloadEvent, MediaType, Moment, Rule } from '../rule.ts';
import { kbpsOf, mbpsFromKbps } from '../../units.ts';

/** Samples in the harmonic mean: 5, as in MPC (SIGCOMM 2015) and the throughput baseline of Pensieve (2017). */
const SAMPLES = 5;
/** Share of the estimate that is spent: 0.9, the margin of dash.js' own rule (Settings.js, bandwidthSafetyFactor). */
const SAFETY_FACTOR = 0.9;

interface State {
  readonly mediaType: MediaType;
  readonly ladder: Ladder;
  readonly window: RateWindow;
}

/** The plain throughput rule: the highest rung that the measured rate, with a margin, carries. Looks at no buffer. */
export const throughput: Rule<State> = {
  id: 'throughput',
  label: 'Throughput',
  paper:
    'Harmonic-mean predictor of Jiang et al., CoNEXT 2012, and Yin et al., SIGCOMM 2015, without look-ahead',
  parameters: { samples: SAMPLES, safetyFactor: SAFETY_FACTOR },
  start: ({ mediaType, ladder }) => ({ mediaType, ladder, window: emptyWindow(SAMPLES) }),
  observe(state, event) {
    if (event.kind === 'ladder') return { ...state, ladder: event.ladder };
    if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
    const rateKbps = rateOf(event);
    return rateKbps === null ? state : { ...state, window: withRate(state.window, rateKbps) };
  },
  decide(state, moment) {
    const estimateKbps = harmonicMean(state.window);
    return estimateKbps === null ? unmeasured(state.ladder, moment) : measured(state, estimateKbps);
  },
};

/** The papers' download rate: from the request, not from the first byte, to the last byte. */
function rateOf(download: DownloadEvent): number | null {
  // An abandoned body is short and its rate mostly slow start: it would drag the mean down for five segments.
  return download.aborted ? null : kbpsOf(download.sizeBytes, download.lastByteMs - download.startMs);
}

function unmeasured(ladder: Ladder, { lastRung }: Moment): Answer {
  const rung = Math.min(lastRung ?? 0, ladder.length - 1);
  return {
    rung,
    because: () =>
      `No download measured yet, so rung ${rung + 1} of ${ladder.length}, where playback starts.`,
    values: { estimateKbps: null, budgetKbps: null, samples: 0 },
  };
}

function measured({ ladder, window }: State, estimateKbps: number): Answer {
  const budgetKbps = estimateKbps * SAFETY_FACTOR;
  const rung = highestRungWithin(ladder, budgetKbps);
  const samples = window.ratesKbps.length;
  return {
    rung,
    because: () => sentence(ladder, rung, { estimateKbps, budgetKbps, samples }),
    values: { estimateKbps, budgetKbps, samples },
  };
}

function sentence(
  ladder: Ladder,
  rung: number,
  { estimateKbps, budgetKbps, samples }: { estimateKbps: number; budgetKbps: number; samples: number },
): string {
  const measuredBy = samples === 1 ? 'The last download ran at' : `The last ${samples} downloads ran at`;
  const wished = ladder[rung]?.bitrateKbps ?? 0;
  const verdict =
    wished <= budgetKbps
      ? `and rung ${rung + 1} of ${ladder.length} (${mbps(wished)}) is the highest within`
      : `and no rung fits, so it is the lowest (${mbps(wished)})`;
  return `${measuredBy} ${mbps(estimateKbps)}; ${SAFETY_FACTOR * 100} % of that is ${mbps(budgetKbps)}, ${verdict}.`;
}

const mbps = (rateKbps: number): string => `${mbpsFromKbps(rateKbps).toFixed(2)} Mbit/s`;
