import type { RuleReport } from './ruleReport.ts';
import { plainTable } from '../../node/textTable.ts';
import { formatPercent } from '../../src/shared/format.ts';

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
