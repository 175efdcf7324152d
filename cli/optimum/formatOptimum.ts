import { isWithinAnchors } from './isWithinAnchors.ts';
import type { OptimumReport } from './optimumReport.ts';
import { plainTable } from '../../node/textTable.ts';
import { mean, median } from '../../bench/statistics.ts';
import { formatSigned } from '../../src/shared/format.ts';

/** A bound this near is no more than rounding. */
const ROUNDING_QOE = 1e-5;

/** The traces of a run, a line each, and what they come to. */
export function formatOptimum(reports: readonly OptimumReport[]): string {
  const rows = reports.map(({ trace, qoe, upperBound, qoePerChunk, searchMs }) => [
    trace,
    qoe.toFixed(3),
    upperBound.toFixed(3),
    qoePerChunk.toFixed(3),
    String(Math.round(searchMs)),
  ]);
  const lines = [plainTable(['trace', 'QoE', 'bound', 'QoE/chunk', 'ms'], rows), '', ...sums(reports)];
  return [...lines, ...margins(reports)].join('\n');
}

function sums(reports: readonly OptimumReport[]): string[] {
  const gaps = reports.map(({ qoe, upperBound }) => upperBound - qoe);
  const proven = gaps.filter((gap) => gap < ROUNDING_QOE).length;
  const times = reports.map(({ searchMs }) => searchMs);
  return [
    `mean QoE ${mean(reports.map(({ qoe }) => qoe)).toFixed(3)}, per chunk ${mean(reports.map(({ qoePerChunk }) => qoePerChunk)).toFixed(3)}, bound ${mean(reports.map(({ upperBound }) => upperBound)).toFixed(3)}`,
    `proven to be the optimum: ${proven} of ${reports.length}; greatest gap to the bound ${Math.max(...gaps).toFixed(3)}`,
    `time per trace: median ${Math.round(median(times))} ms, longest ${Math.round(Math.max(...times))} ms`,
  ];
}

function margins(reports: readonly OptimumReport[]): string[] {
  const known = reports.filter(({ aboveKnownPolicy }) => aboveKnownPolicy !== null);
  if (known.length === 0) return [];
  const above = Math.min(...known.map(({ aboveKnownPolicy }) => aboveKnownPolicy!));
  const below = Math.min(...known.map(({ belowKnownBound }) => belowKnownBound!));
  const outside = known.filter((report) => !isWithinAnchors(report)).map(({ trace }) => trace);
  return [
    `smallest margin over ${known.length} known values: policy ${formatSigned(above, 5)} above the known policy, bound ${formatSigned(below, 5)} below the known bound`,
    outside.length === 0 ? 'all within 0.05' : `outside by more than 0.05: ${outside.join(', ')}`,
  ];
}
