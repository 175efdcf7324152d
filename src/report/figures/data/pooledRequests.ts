/** A session's numbers, ascending, and how many requests they stand for. */
export interface StandIns {
  readonly values: readonly number[];
  readonly requests: number;
}

/** No session counts more often than this; the others of a campaign are as long. */
const MAX_TIMES = 50;

/**
 * The requests of several sessions as if they were one's: values that stand for twice as many requests as those of another
 * session are there twice.
 */
export function pooledRequests(sessions: readonly StandIns[]): number[] {
  const known = sessions.filter(({ values }) => values.length > 0);
  const weights = known.map(({ values, requests }) => requests / values.length);
  const min = weights.reduce((one, other) => Math.min(one, other), Infinity);
  return known.flatMap(({ values }, index) => {
    const times = Math.min(MAX_TIMES, Math.max(1, Math.round(weights[index]! / min)));
    return times === 1 ? values : values.flatMap((value) => new Array<number>(times).fill(value));
  });
}
