import { plainTable } from '../../node/textTable.ts';
import { formatMbps, formatPercent } from '../../src/shared/format.ts';
import { audioKbpsOf, type AskedRule, type SimInputs } from './simInputs.ts';
import type { SimTask, OptimumScore, SessionScore } from './simTask.ts';
import { lengthMs, meanKbps, type RateTrace } from '../../src/network/rateTrace.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { simModels } from '../../src/sim/registry.ts';
import {
  formatInterval,
  formatNetworks,
  MIN_NETWORKS,
  type TraceNetworks,
  meanOverNetworks,
} from './traceNetworks.ts';
import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';

const HEAD = [
  'rule',
  'QoE/chunk',
  '95 % interval',
  'of optimum',
  'stall s',
  'stalls',
  'switches',
  'kbit/s',
  'join s',
];

/** The rules of a run side by side, in the order they were asked for. */
export const simTable = (reports: readonly RuleReport[]): string => plainTable(HEAD, reports.map(lineOf));

function lineOf(report: RuleReport): string[] {
  return [
    report.rule,
    report.qoePerChunkMean.toFixed(3),
    formatInterval(report.qoePerChunkInterval, (end) => end.toFixed(3)),
    report.shareOfOptimum === null ? '–' : formatPercent(report.shareOfOptimum, { decimals: 1 }),
    report.stallSecondsMean.toFixed(2),
    report.stallsMean.toFixed(2),
    report.switchesMean.toFixed(1),
    report.meanBitrateKbps.toFixed(0),
    report.joinSecondsMean.toFixed(2),
  ];
}

/** What is about to be played, a line for each thing that a result depends on. */
export function headNotes({ task, rules, formats, notes }: SimInputs, networks: TraceNetworks): string {
  const { content, traces, qoeId, modelId } = task;
  const { ladder, segments, segmentMs, sizesBytes } = content.video;
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const of = sizesBytes[0]!.length > segments ? ` of ${sizesBytes[0]!.length}` : '';
  const grouped = formatNetworks(networks);
  const repeated = shorterThan((segments * segmentMs) / 1000, task);
  const lines = [
    `video   ${content.name}: ${segments}${of} segments of ${Number((segmentMs / 1000).toFixed(3))} s, ${bitratesKbps.join(', ')} kbit/s${formatAudio(task)}`,
    `traces  ${traces.length} (${formats.join(', ')})${grouped === null ? '' : ` of ${grouped}`}${repeated}`,
    `        ${formatRates(traces)}`,
    ...[...notes, ...tooSlow(task)].map((note) => `        ${note}`),
    `QoE     ${qoeId}: ${pick(qoeModels, qoeId).meaning(bitratesKbps)}; per chunk, without the first`,
    `model   ${modelId}: ${pick(simModels, modelId).meaning}${formatSetting(task)}`,
    ...rules.map((rule, index) => `${index === 0 ? 'rules ' : '      '}  ${formatRule(rule)}`),
  ];
  return lines.join('\n');
}

/** What the rates of traces are, so that a reader sees a wrong unit: each trace counts the same in the mean. */
export function formatRates(traces: readonly RateTrace[]): string {
  const mean = traces.reduce((sum, trace) => sum + meanKbps(trace), 0) / traces.length;
  let [min, max] = [Infinity, 0];
  for (const { rateKbps } of traces)
    for (const rate of rateKbps) [min, max] = [Math.min(min, rate), Math.max(max, rate)];
  return `rates: mean ${formatMbps(mean)}, from ${formatMbps(min)} to ${formatMbps(max)}`;
}

function formatAudio(task: SimTask): string {
  const bitratesKbps = audioKbpsOf(task);
  return bitratesKbps ? `; audio of ${bitratesKbps.join(', ')} kbit/s` : '';
}

/** A line for each trace over which no level can be played: every rule then takes the lowest and stalls, and all are equal. */
function tooSlow({ content, traces }: SimTask): string[] {
  const lowestKbps = Math.min(...content.video.ladder.map(({ bitrateKbps }) => bitrateKbps));
  return traces.flatMap(({ name, rateKbps }) => {
    const highestKbps = rateKbps.reduce((highest, kbps) => Math.max(highest, kbps), 0);
    return highestKbps >= lowestKbps
      ? []
      : [
          `${name}: no level of this video fits this network: it carries at most ${Math.round(highestKbps)} kbit/s, and the lowest level has ${lowestKbps} kbit/s`,
        ];
  });
}

const formatSetting = ({ player }: SimTask): string =>
  Object.entries(player)
    .map(([name, value]) => `; ${name}=${String(value)}`)
    .join('');

/** What the columns mean, and why one is empty. */
export function footNotes(
  { seed, traces }: SimTask,
  networks: TraceNetworks,
  whyNoOptimum: string | null,
): string {
  const grouped = formatNetworks(networks);
  const unit = grouped === null ? 'traces' : networks.areHouseholds ? 'households' : 'networks';
  const lines = [
    `QoE/chunk: mean over traces, with its 95 % interval over ${unit} (bootstrap-t with seed ${seed}, and Student's t: the wider of both); none for fewer than ${MIN_NETWORKS}, or too few different values. Other columns: means over traces.`,
    ...(grouped === null
      ? []
      : [
          `${traces.length} traces of ${grouped}: traces of one household share its line, so each household counts once.`,
        ]),
    whyNoOptimum === null
      ? 'of optimum: mean QoE divided by the mean of the optimum on the same traces.'
      : `of optimum: ${whyNoOptimum}.`,
  ];
  return lines.join('\n');
}

function shorterThan(videoSeconds: number, { traces }: SimTask): string {
  const shorter = traces.filter((trace) => lengthMs(trace) - trace.startMs < videoSeconds * 1000).length;
  if (shorter === 0) return '';
  return `; ${shorter} of them shorter than the video (${Number(videoSeconds.toFixed(3))} s): they repeat`;
}

function formatRule({ name, rule, followsRun }: AskedRule): string {
  const parameters = Object.entries(rule.parameters).map(([parameter, value]) => `${parameter}=${value}`);
  return `${[name, ...parameters].join(' ')}${followsRun ? ' (qoe of the run)' : ''}`;
}

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
