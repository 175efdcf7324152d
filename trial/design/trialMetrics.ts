import type { FieldSession } from './fieldSession.ts';
import type { Metric } from '../../src/analysis/metrics/metric.ts';
import { meanBitrate } from '../../src/analysis/metrics/quality.ts';
import { joinTime, rebufferCount, rebufferRate } from '../../src/analysis/metrics/stalls.ts';

/** What metrics read of a session. */
export type MeasuredSession = Pick<
  FieldSession,
  'joinMs' | 'playedMs' | 'stalledMs' | 'stalls' | 'bitrateKbps' | 'errors'
>;

/** A number of one session in the field: what a beacon can say of a metric of session logs, or of a session that never played. */
export interface TrialMetric extends Pick<Metric, 'id' | 'label' | 'unit'> {
  readonly better: 'higher' | 'lower';
  /** Defines the number by the fields of a beacon. */
  readonly meaning: string;
  /** null where the session has no value. */
  of(session: MeasuredSession): number | null;
}

const named = ({ id, label, unit }: Metric): Pick<Metric, 'id' | 'label' | 'unit'> => ({ id, label, unit });

/** Metrics that a trial can judge, in the order of reports. */
export const trialMetrics: readonly TrialMetric[] = [
  {
    ...named(rebufferRate),
    better: 'lower',
    meaning: '100 × stalledMs / (stalledMs + playedMs); no value where playback never started',
    of: ({ joinMs, playedMs, stalledMs }) =>
      joinMs === null || playedMs + stalledMs <= 0 ? null : (100 * stalledMs) / (playedMs + stalledMs),
  },
  {
    ...named(joinTime),
    better: 'lower',
    meaning: 'joinMs; no value where playback never started',
    of: ({ joinMs }) => joinMs,
  },
  {
    ...named(meanBitrate),
    better: 'higher',
    meaning: 'bitrateKbps, the mean over played time; no value where playback never started',
    of: ({ bitrateKbps }) => bitrateKbps,
  },
  {
    ...named(rebufferCount),
    better: 'lower',
    meaning: 'stalls; no value where playback never started',
    of: ({ joinMs, stalls }) => (joinMs === null ? null : stalls),
  },
  {
    id: 'early-leave',
    label: 'left before the first frame',
    unit: '%',
    better: 'lower',
    meaning: '100 where playback never started, else 0: every session has a value',
    of: ({ joinMs }) => (joinMs === null ? 100 : 0),
  },
  {
    id: 'errors',
    label: 'sessions with an error',
    unit: '%',
    better: 'lower',
    meaning: '100 where the player reported an error, else 0: every session has a value',
    of: ({ errors }) => (errors > 0 ? 100 : 0),
  },
];
