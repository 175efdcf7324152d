import { sizeFor, type Sample } from './samples.ts';

/** A difference of two means, and how uncertain it is where the rows of a cluster are alike. */
export interface ClusteredDifference {
  /** Mean of the judged arm less that of the other. */
  readonly difference: number;
  readonly standardError: number;
  readonly means: { readonly treated: number; readonly control: number };
  readonly rows: { readonly treated: number; readonly control: number };
  readonly clusters: number;
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
  const { variance, count } = clusterVariance(sample, { means, rows }, clusters);
  if (count < 2) return null;
  return {
    difference: means.treated - means.control,
    standardError: Math.sqrt(variance),
    means,
    rows,
    clusters: count,
  };
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
): { variance: number; count: number } {
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
  let [squares, count] = [0, 0];
  for (let cluster = 0; cluster < scores.length; cluster++) {
    squares += scores[cluster]! ** 2;
    count += isUsed[cluster]!;
  }
  const total = values.length;
  const factor = (count / Math.max(1, count - 1)) * ((total - 1) / Math.max(1, total - 2));
  return { variance: squares * factor, count };
}
