import type { SessionSummary } from '../../sessionSummary.ts';

/** The values of a metric that are known, in the order of the sessions. */
export const knownValues = (sessions: readonly SessionSummary[], metricId: string): number[] =>
  sessions.flatMap(({ values }) => values[metricId] ?? []);
