/** Values of two arms in columns: row by row a value, whether it is of the arm that is judged, and its cluster. */
export interface Sample {
  readonly values: Float64Array;
  /** 1 for the arm that is judged, 0 for the arm that it is compared with. */
  readonly isTreated: Uint8Array;
  /** Clusters, numbered from 0: viewers, or pairs of periods. Not every number needs to occur. */
  readonly clusters: Int32Array;
}

/** Returns the first rows of a sample, without a copy. */
export const firstRows = ({ values, isTreated, clusters }: Sample, count: number): Sample => ({
  values: values.subarray(0, count),
  isTreated: isTreated.subarray(0, count),
  clusters: clusters.subarray(0, count),
});

/** How many numbers from 0 there are up to the largest. */
export function sizeFor(numbers: Int32Array): number {
  let max = -1;
  for (const each of numbers) if (each > max) max = each;
  return max + 1;
}
