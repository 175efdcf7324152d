/** Values of two arms in columns: row by row a value, whether it is of the arm that is judged, and its cluster. */
export interface Sample {
  readonly values: Float64Array;
  /** 1 for the arm that is judged, 0 for the arm that it is compared with. */
  readonly isTreated: Uint8Array;
  /** Clusters, numbered from 0: viewers, or pairs of periods. */
  readonly clusters: Int32Array;
}

export interface SampleRow {
  readonly value: number;
  readonly isTreated: boolean;
  readonly cluster: string;
}

/** Numbers names from 0, in the order in which they occur. */
export function numberNames(): (name: string) => number {
  const numbers = new Map<string, number>();
  return (name) => {
    const known = numbers.get(name);
    if (known !== undefined) return known;
    numbers.set(name, numbers.size);
    return numbers.size - 1;
  };
}

/** Returns rows as columns. */
export function sampleOf(rows: readonly SampleRow[]): Sample {
  const numberOf = numberNames();
  return {
    values: Float64Array.from(rows, ({ value }) => value),
    isTreated: Uint8Array.from(rows, ({ isTreated }) => (isTreated ? 1 : 0)),
    clusters: Int32Array.from(rows, ({ cluster }) => numberOf(cluster)),
  };
}

/** Returns the first rows of a sample, without a copy. */
export const firstRows = ({ values, isTreated, clusters }: Sample, count: number): Sample => ({
  values: values.subarray(0, count),
  isTreated: isTreated.subarray(0, count),
  clusters: clusters.subarray(0, count),
});
