import type { RuleReport } from './ruleReport.ts';
import { plainTable } from '../../node/textTable.ts';
import { formatPercent, formatSigned } from '../../src/shared/format.ts';
import { audioKbpsOf, type AskedRule, type SimInputs } from './simInputs.ts';
import type { SimTask } from './simTask.ts';
import { lengthMs } from '../../src/network/rateTrace.ts';
import { qoeModels } from '../../src/shared/qoe.ts';
import { pick } from '../../src/shared/registry.ts';
import { simModels } from '../../src/sim/registry.ts';
import type { Column } from './videoFrom.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { signedRank } from '../../src/analysis/statistics/rankTests.ts';

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
  const [min, max] = report.qoePerChunkInterval;
  return [
    report.rule,
    report.qoePerChunkMean.toFixed(3),
    `${min.toFixed(3)} … ${max.toFixed(3)}`,
    report.shareOfOptimum === null ? '–' : formatPercent(report.shareOfOptimum, { decimals: 1 }),
    report.stallSecondsMean.toFixed(2),
    report.stallsMean.toFixed(2),
    report.switchesMean.toFixed(1),
    report.meanBitrateKbps.toFixed(0),
    report.joinSecondsMean.toFixed(2),
  ];
}

/** What is about to be played, a line for each thing that a result depends on. */
export function headNotes({ task, rules, formats, notes }: SimInputs): string {
  const { content, traces, qoeId, modelId } = task;
  const { ladder, segments, segmentMs, sizesBytes } = content.video;
  const bitratesKbps = ladder.map(({ bitrateKbps }) => bitrateKbps);
  const of = sizesBytes[0]!.length > segments ? ` of ${sizesBytes[0]!.length}` : '';
  const repeated = shorterThan((segments * segmentMs) / 1000, task);
  const lines = [
    `video   ${content.name}: ${segments}${of} segments of ${Number((segmentMs / 1000).toFixed(3))} s, ${bitratesKbps.join(', ')} kbit/s${formatAudio(task)}`,
    `traces  ${traces.length} (${formats.join(', ')})${repeated}`,
    ...[...notes, ...tooSlow(task)].map((note) => `        ${note}`),
    `QoE     ${qoeId}: ${pick(qoeModels, qoeId).meaning(bitratesKbps)}; per chunk, without the first`,
    `model   ${modelId}: ${pick(simModels, modelId).meaning}${formatSetting(task)}`,
    ...rules.map((rule, index) => `${index === 0 ? 'rules ' : '      '}  ${formatRule(rule)}`),
  ];
  return lines.join('\n');
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
export function footNotes({ seed }: SimTask, whyNoOptimum: string | null): string {
  const lines = [
    `QoE/chunk: mean over traces, with its 95 % bootstrap interval over traces (seed ${seed}). Other columns: means over traces.`,
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

interface PairedInput {
  readonly reports: readonly RuleReport[];
  readonly columns: readonly Column[];
  /** Of the bootstrap. */
  readonly seed: number;
}

/**
 * The first rule against every other and against columns of a file, trace by trace: the mean difference of QoE per chunk with
 * its bootstrap interval, where the first rule was better, and the p of Wilcoxon's signed ranks.
 */
export function pairedTable({ reports, columns, seed }: PairedInput): string {
  const [first, ...others] = reports;
  const own = qoeOf(first!);
  const against = [
    ...others.map((report) => ({ name: report.rule, qoePerChunk: qoeOf(report) })),
    ...columns,
  ];
  const head = [`${first!.rule} minus`, 'QoE/chunk', '95 % interval', 'better in', 'equal in', 'Wilcoxon p'];
  const rows = against.map(({ name, qoePerChunk }) => {
    const differences = own.map((value, index) => value - qoePerChunk[index]!);
    return [name, ...cellsOf(differences, seed)];
  });
  return plainTable(head, rows);
}

function cellsOf(differences: readonly number[], seed: number): string[] {
  const { value, interval } = bootstrap(differences, mean, seed);
  const { p, zeros } = signedRank(differences);
  const better = differences.filter((each) => each > 0).length;
  return [
    formatSigned(value, 3),
    `${formatSigned(interval[0], 3)} … ${formatSigned(interval[1], 3)}`,
    `${better} of ${differences.length}`,
    String(zeros),
    p < 1e-4 ? p.toExponential(0) : p.toFixed(4),
  ];
}

const qoeOf = ({ perTrace }: RuleReport): readonly number[] => perTrace.map(({ qoePerChunk }) => qoePerChunk);

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;
