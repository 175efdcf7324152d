import { normalTail } from '../../src/analysis/statistics/distributions.ts';
import { sizeFor, type Sample } from './samples.ts';

/** A difference of two means, and how uncertain it is where the rows of a cluster are alike. */
export interface ClusteredDifference {
  /** Mean of the judged arm less that of the other. */
  readonly difference: number;
  readonly standardError: number;
  readonly means: { readonly treated: number; readonly control: number };
  readonly rows: { readonly treated: number; readonly control: number };
  readonly clusters: number;
  /** Clusters that have a row of the arm. */
  readonly clustersOf: { readonly treated: number; readonly control: number };
  /** How many clusters of equal influence would have a spread as uneven as this: 1 where one cluster makes all of it, 0 without any. */
  readonly effectiveClusters: number;
}

/**
 * Computes the difference of means with the cluster-robust standard error of least squares on an indicator (Liang and Zeger 1986),
 * with the usual factor G/(G − 1) · (N − 1)/(N − 2). null with fewer than two clusters, or an arm without rows.
 */
export function clusteredDifference(sample: Sample): ClusteredDifference | null {
  const { values, isTreated, clusters } = sample;
  let [treated, treatedSum, controlSum] = [0, 0, 0];
  for (let row = 0; row < values.length; row++)
    if (isTreated[row] === 1) {
      treated += 1;
      treatedSum += values[row]!;
    } else controlSum += values[row]!;
  const rows = { treated, control: values.length - treated };
  if (rows.treated === 0 || rows.control === 0) return null;
  const means = { treated: treatedSum / rows.treated, control: controlSum / rows.control };
  const { variance, count, effective } = clusterVariance(sample, { means, rows }, clusters);
  if (count < 2) return null;
  return {
    difference: means.treated - means.control,
    standardError: Math.sqrt(variance),
    means,
    rows,
    clusters: count,
    clustersOf: countClusters(sample),
    effectiveClusters: effective,
  };
}

/**
 * Computes p of the test that two arms have the same mean, two-sided, by the normal distribution. null where an arm has no rows or
 * there are fewer than two clusters.
 */
export function differenceP(sample: Sample): number | null {
  const found = clusteredDifference(sample);
  if (found === null) return null;
  if (found.standardError === 0) return found.difference === 0 ? 1 : 0;
  return 2 * normalTail(Math.abs(found.difference) / found.standardError);
}

function countClusters({ isTreated, clusters }: Sample): ClusteredDifference['clustersOf'] {
  const size = sizeFor(clusters);
  const seen = [new Uint8Array(size), new Uint8Array(size)] as const;
  for (let row = 0; row < isTreated.length; row++) seen[isTreated[row] === 1 ? 1 : 0][clusters[row]!] = 1;
  const [control, treated] = seen.map((marks) => marks.reduce((sum, mark) => sum + mark, 0)) as [
    number,
    number,
  ];
  return { treated, control };
}

/**
 * Computes the standard error with two ways of clustering at once, as viewers and networks (Cameron, Gelbach and Miller 2011): the
 * variance of one, which the difference has, plus that of the other, less that of both together (`pairs`). null where the sum is
 * not above 0.
 */
export function twoWayStandardError(
  sample: Sample,
  difference: ClusteredDifference,
  { networks, pairs }: { readonly networks: Int32Array; readonly pairs: Int32Array },
): number | null {
  const [other, together] = [networks, pairs].map(
    (clusters) => clusterVariance(sample, difference, clusters).variance,
  ) as [number, number];
  const variance = difference.standardError ** 2 + other - together;
  return variance > 0 ? Math.sqrt(variance) : null;
}

function clusterVariance(
  { values, isTreated }: Sample,
  { means, rows }: Pick<ClusteredDifference, 'means' | 'rows'>,
  clusters: Int32Array,
): { variance: number; count: number; effective: number } {
  const scores = new Float64Array(sizeFor(clusters));
  const isUsed = new Uint8Array(scores.length);
  for (let row = 0; row < values.length; row++) {
    const influence =
      isTreated[row] === 1
        ? (values[row]! - means.treated) / rows.treated
        : (means.control - values[row]!) / rows.control;
    scores[clusters[row]!]! += influence;
    isUsed[clusters[row]!] = 1;
  }
  let [squares, fourths, count] = [0, 0, 0];
  for (let cluster = 0; cluster < scores.length; cluster++) {
    const square = scores[cluster]! ** 2;
    squares += square;
    fourths += square ** 2;
    count += isUsed[cluster]!;
  }
  const total = values.length;
  const factor = (count / Math.max(1, count - 1)) * ((total - 1) / Math.max(1, total - 2));
  return { variance: squares * factor, count, effective: fourths > 0 ? squares ** 2 / fourths : 0 };
}
