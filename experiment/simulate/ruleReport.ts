import type { OptimumScore, SessionScore } from './simTask.ts';
import { meanOverNetworks, type TraceNetworks } from './traceNetworks.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';

/** What `--json` writes of one rule. Means are over traces; per-chunk figures leave out the first chunk. */
export interface RuleReport {
  readonly rule: string;
  readonly sessions: number;
  /** How many independent networks the traces come from. */
  readonly networks: number;
  readonly qoePerChunkMean: number;
  /** At 95 %, over networks; null where there are too few of them or too few different values. */
  readonly qoePerChunkInterval: Interval | null;
  /** Mean QoE over the mean of the optimum; null with the reason beside it. */
  readonly shareOfOptimum: number | null;
  readonly shareOfOptimumWhy: string | null;
  readonly stallSecondsMean: number;
  readonly stallsMean: number;
  readonly switchesMean: number;
  readonly meanBitrateKbps: number;
  readonly joinSecondsMean: number;
  readonly perTrace: readonly TraceReport[];
}

interface TraceReport extends SessionScore {
  readonly trace: string;
  /** The best that can be played, and what nothing can exceed; null without an optimum. */
  readonly optimumPerChunk: number | null;
  readonly upperBoundPerChunk: number | null;
}

interface ReportInput {
  readonly rule: string;
  readonly traceNames: readonly string[];
  readonly networks: TraceNetworks;
  /** In the order of the traces, as the optima. */
  readonly scores: readonly SessionScore[];
  readonly optima: readonly OptimumScore[] | null;
  /** Why there are no optima. */
  readonly why: string | null;
  readonly seed: number;
}

export function ruleReport(input: ReportInput): RuleReport {
  const { rule, traceNames, networks, scores, optima, why, seed } = input;
  const qoe = meanOverNetworks(
    scores.map(({ qoePerChunk }) => qoePerChunk),
    networks,
    seed,
  );
  return {
    rule,
    sessions: scores.length,
    networks: networks.traces.length,
    qoePerChunkMean: qoe.value,
    qoePerChunkInterval: qoe.interval,
    ...shareOf(qoe.value, optima, why),
    stallSecondsMean: mean(scores.map(({ stallSeconds }) => stallSeconds)),
    stallsMean: mean(scores.map(({ stalls }) => stalls)),
    switchesMean: mean(scores.map(({ switches }) => switches)),
    meanBitrateKbps: mean(scores.map(({ meanBitrateKbps }) => meanBitrateKbps)),
    joinSecondsMean: mean(scores.map(({ joinSeconds }) => joinSeconds)),
    perTrace: scores.map((score, index) => ({
      trace: traceNames[index]!,
      ...score,
      optimumPerChunk: optima?.[index]!.qoePerChunk ?? null,
      upperBoundPerChunk: optima?.[index]!.upperBoundPerChunk ?? null,
    })),
  };
}

function shareOf(qoePerChunk: number, optima: readonly OptimumScore[] | null, why: string | null) {
  const best = optima && mean(optima.map((each) => each.qoePerChunk));
  if (best === null) return { shareOfOptimum: null, shareOfOptimumWhy: why };
  if (best <= 0) return { shareOfOptimum: null, shareOfOptimumWhy: 'the optimum itself is not above 0' };
  return { shareOfOptimum: qoePerChunk / best, shareOfOptimumWhy: null };
}
