import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import { mean } from '../../src/analysis/statistics/summaries.ts';
import type { Trial } from '../design/trialFile.ts';
import type { TrialMetric } from '../design/trialMetrics.ts';
import { clusteredDifference, type ClusteredDifference } from './clusteredDifference.ts';
import type { Enrolled } from './enrol.ts';
import { sampleOf } from './samples.ts';

/** Tells whether most bytes of a session came over HTTP/3. */
export const rodeH3 = ({ session }: Enrolled): boolean => session.h3Bytes > session.tcpBytes;

/** What the comparison of rows with h3 and rows with TCP would have said, and who rode TCP against the assignment. */
export interface NaiveComparison {
  readonly estimate: ClusteredDifference | null;
  /** 95 % interval, as if nobody had looked before. */
  readonly interval: Interval | null;
  /** Sessions that were assigned h3 and rode TCP, with the mean of their values; null without such sessions. */
  readonly fallback: {
    readonly sessions: number;
    readonly shareOfTcpRows: number;
    readonly mean: number;
  } | null;
  /** Mean of sessions that were assigned TCP; null without. */
  readonly assignedTcpMean: number | null;
}

/** Compares rows by what they rode. It is no experiment: who rides TCP is not drawn. */
export function naiveComparison(
  trial: Trial,
  rows: readonly Enrolled[],
  metric: TrialMetric,
): NaiveComparison {
  const transports = new Map(trial.arms.map(({ pathway, transport }) => [pathway, transport]));
  const valued = rows.flatMap((row) => {
    const value = metric.of(row.session);
    const hasBytes = row.session.h3Bytes + row.session.tcpBytes > 0;
    return value === null || !hasBytes ? [] : [{ row, value, isTreated: rodeH3(row), cluster: row.cluster }];
  });
  const estimate = clusteredDifference(sampleOf(valued));
  const half = estimate === null ? 0 : 1.959964 * estimate.standardError;
  const onTcp = valued.filter(({ isTreated }) => !isTreated);
  const valuesOf = (transport: 'h3' | 'tcp'): number[] =>
    onTcp.filter(({ row }) => transports.get(row.arm) === transport).map(({ value }) => value);
  const [fallback, assigned] = [valuesOf('h3'), valuesOf('tcp')];
  return {
    estimate,
    interval: estimate && [estimate.difference - half, estimate.difference + half],
    fallback:
      fallback.length === 0
        ? null
        : { sessions: fallback.length, shareOfTcpRows: fallback.length / onTcp.length, mean: mean(fallback) },
    assignedTcpMean: assigned.length === 0 ? null : mean(assigned),
  };
}
