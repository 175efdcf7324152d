import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { weightedMean, weightedQuantile, type Weighted } from '../statistics/summaries.ts';
import { eventsOf, logEndMs } from '../timeline/log.ts';
import { hasPlayed, playSpans } from '../timeline/played.ts';
import { overlapMs } from '../timeline/spans.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';

const LOLP = 'Bentaleb et al., Catching the Moment with LoL+, IEEE Trans. Multimedia 24, 2022 (QoE model';

const LATENCY =
  'distance of the playhead to the live edge as the player reports it once a second and at each change of playback, interpolated linearly, over the time in which the video played; the error of the clock that the player counts by is given beside it';

const UNKNOWN = 'the stream is not live, the player never knew the live edge, or playback never started';

/** How far behind the live edge the viewer watches. */
const liveLatency: Metric = {
  id: 'live-latency',
  label: 'live latency',
  meaning: `mean ${LATENCY}`,
  unit: 's',
  better: 'lower',
  isPositive: true,
  decimals: 2,
  paper: `${LOLP}: live latency); weighting by time is ours`,
  unknown: UNKNOWN,
  of: (log) => latencyOf(log, { of: weightedMean, errorOf: weightedMean }),
};

/** A stall shows here before it shows in the mean. */
const liveLatencyTail: Metric = {
  id: 'live-latency-p95',
  label: 'live latency, 95 %',
  meaning: `the value that the latency did not exceed for 95 % of the time: ${LATENCY}`,
  unit: 's',
  better: 'lower',
  isPositive: true,
  decimals: 2,
  paper: `${LOLP}: live latency); the percentile is ours`,
  unknown: UNKNOWN,
  of: (log) => latencyOf(log, { of: (entries) => weightedQuantile(entries, 0.95), errorOf: greatest }),
};

/** What a viewer may hear and see of how a player stays near the live edge. */
const rateDeviation: Metric = {
  id: 'playback-rate-deviation',
  label: 'playback rate off 1',
  meaning:
    'mean of |playback rate − 1| in a live stream, weighted by the time in which the video played; slower and faster count alike; a rate of 0 is left out',
  unit: '%',
  better: 'lower',
  decimals: 2,
  paper: `${LOLP}: |1 − playback speed|); weighting by time is ours`,
  unknown: 'the stream is not live, or playback never started',
  of(log) {
    if (!isLive(log)) return unmeasured(NOT_LIVE);
    const value = weightedMean(rateSpans(log));
    return value === null ? unmeasured('Playback never started.') : { value: 100 * value };
  },
};

/** What low latency costs and gains. */
export const liveMetrics: readonly Metric[] = [liveLatency, liveLatencyTail, rateDeviation];

const NOT_LIVE = 'The stream is not live.';

interface Summary {
  of(entries: readonly Weighted[]): number | null;
  /** Bounds how far the summary moves where each entry moves by its error. */
  errorOf(errors: readonly Weighted[]): number | null;
}

/** A quantile moves by no more than the entry that moves most. */
const greatest = (errors: readonly Weighted[]): number =>
  errors.reduce((max, { value, weight }) => (weight > 0 ? Math.max(max, value) : max), 0);

function latencyOf(log: SessionLog, summary: Summary): Measured {
  if (!isLive(log)) return unmeasured(NOT_LIVE);
  if (!hasPlayed(log)) return unmeasured('Playback never started.');
  const spans = latencySpans(log);
  const value = summary.of(spans);
  return value === null
    ? unmeasured('The player never knew the live edge while the video played.')
    : { value: value / 1000, ...clockError(spans, summary) };
}

/** A viewer's own choice of rate in a stream on demand is no sign of anything. */
const isLive = (log: SessionLog): boolean =>
  eventsOf(log, 'manifest').some(({ type }) => type === 'dynamic') || readings(log).length > 0;

interface Reading {
  readonly atMs: number;
  readonly latencyMs: number;
  /** By how much the clock may be off; null: nobody knows; absent: the log names no error. */
  readonly errorMs?: number | null | undefined;
}

const readings = (log: SessionLog): Reading[] =>
  byTime(log).flatMap(({ atMs, liveLatencyMs, liveLatencyErrorMs: errorMs }) =>
    liveLatencyMs === null ? [] : [{ atMs, latencyMs: liveLatencyMs, errorMs }],
  );

const byTime = (log: SessionLog) =>
  [...eventsOf(log, 'playback')].sort((one, other) => one.atMs - other.atMs);

interface LatencySpan extends Weighted {
  readonly ends: readonly [Reading, Reading];
}

/** ms behind the live edge, between one reading and the next, and for how long the video played there. */
function latencySpans(log: SessionLog): LatencySpan[] {
  const played = playSpans(log);
  const all = readings(log);
  return all.slice(1).map((reading, index) => {
    const before = all[index]!;
    const weight = overlapMs({ fromMs: before.atMs, toMs: reading.atMs }, played);
    return { value: (before.latencyMs + reading.latencyMs) / 2, weight, ends: [before, reading] };
  });
}

function rateSpans(log: SessionLog): Weighted[] {
  const played = playSpans(log);
  const events = byTime(log);
  return events.map(({ atMs, playbackRate }, index) => {
    const toMs = events[index + 1]?.atMs ?? logEndMs(log);
    // dash.js sets it to 0 while it waits for media (VideoModel.addStalledStream).
    const weight = playbackRate === 0 ? 0 : overlapMs({ fromMs: atMs, toMs }, played);
    return { value: Math.abs(playbackRate - 1), weight };
  });
}

/** The error of the clock that the live edge was counted by, s (docs/session-log.md). */
function clockError(spans: readonly LatencySpan[], { errorOf }: Summary): Pick<Measured, 'error' | 'note'> {
  const played = spans.filter(({ weight }) => weight > 0);
  const errors = played.map(({ weight, ends }) => ({ weight, ends: ends.map(({ errorMs }) => errorMs) }));
  if (errors.every(({ ends }) => ends.every((error) => error === undefined))) return {};
  if (errors.some(({ ends }) => ends.includes(null)))
    return {
      error: null,
      note: 'The clock is that of the device, so it is not known how far the latency is off.',
    };
  const error = errorOf(
    errors.map(({ weight, ends: [from, to] }) => ({ value: ((from ?? 0) + (to ?? 0)) / 2, weight })),
  );
  if (error === null) return {};
  return {
    error: error / 1000,
    note: `The clock of the stream, and with it this latency, may be ${(error / 1000).toFixed(2)} s off.`,
  };
}
