import type { Interval } from '../../src/analysis/statistics/intervals.ts';
import type { TrialMetric } from '../design/trialMetrics.ts';
import { clusteredDifference, type ClusteredDifference } from './clusteredDifference.ts';
import type { Enrolment } from './enrol.ts';
import { firstRows } from './samples.ts';
import { sessionCursor, type SessionColumns } from './trialColumns.ts';

/** Tells whether most bytes of a session came over HTTP/3. */
export const rodeH3 = ({ h3Bytes, tcpBytes }: SessionColumns, row: number): boolean =>
  h3Bytes[row]! > tcpBytes[row]!;

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
export function naiveComparison(enrolment: Enrolment, metric: TrialMetric): NaiveComparison {
  const { trial, columns, rows, arms, clusters } = enrolment;
  const session = sessionCursor(columns);
  const [values, numbers] = [new Float64Array(rows.length), new Int32Array(rows.length)];
  const isTreated = new Uint8Array(rows.length);
  const onTcp = { h3: { sessions: 0, sum: 0 }, tcp: { sessions: 0, sum: 0 } };
  let size = 0;
  for (let place = 0; place < rows.length; place++) {
    session.row = rows[place]!;
    const value = metric.of(session);
    if (value === null || columns.h3Bytes[session.row]! + columns.tcpBytes[session.row]! === 0) continue;
    const isH3 = rodeH3(columns, session.row);
    if (!isH3) {
      const assigned = onTcp[trial.arms[arms[place]!]!.transport];
      assigned.sessions += 1;
      assigned.sum += value;
    }
    values[size] = value;
    numbers[size] = clusters[place]!;
    isTreated[size++] = isH3 ? 1 : 0;
  }
  const estimate = clusteredDifference(firstRows({ values, isTreated, clusters: numbers }, size));
  const half = estimate === null ? 0 : 1.959964 * estimate.standardError;
  const { h3: fallback, tcp: assigned } = onTcp;
  return {
    estimate,
    interval: estimate && [estimate.difference - half, estimate.difference + half],
    fallback:
      fallback.sessions === 0
        ? null
        : {
            sessions: fallback.sessions,
            shareOfTcpRows: fallback.sessions / (fallback.sessions + assigned.sessions),
            mean: fallback.sum / fallback.sessions,
          },
    assignedTcpMean: assigned.sessions === 0 ? null : assigned.sum / assigned.sessions,
  };
}
