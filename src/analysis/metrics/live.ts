import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { weightedMean, weightedQuantile, type Weighted } from '../statistics/summaries.ts';
import { eventsOf, logEndMs } from '../timeline/log.ts';
import { hasPlayed, playSpans } from '../timeline/played.ts';
import { overlapMs } from '../timeline/spans.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';

const LOLP = 'Bentaleb et al., Catching the Moment with LoL+, IEEE Trans. Multimedia 24, 2022 (QoE model';

const LATENCY =
  'distance of the playhead to the live edge as the player reports it once a second and at each change of playback, interpolated linearly, over the time in which the video played';

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
  of: (log) => latencyOf(log, weightedMean),
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
  of: (log) => latencyOf(log, (entries) => weightedQuantile(entries, 0.95)),
};

/** What a viewer may hear and see of how a player stays near the live edge. */
const rateDeviation: Metric = {
  id: 'playback-rate-deviation',
  label: 'playback rate off 1',
  meaning:
    'mean of |playback rate − 1| in a live stream, weighted by the time in which the video played; slower and faster count alike; a rate of 0, by which a player stands still, is left out',
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

function latencyOf(log: SessionLog, summary: (entries: readonly Weighted[]) => number | null): Measured {
  if (!isLive(log)) return unmeasured(NOT_LIVE);
  if (!hasPlayed(log)) return unmeasured('Playback never started.');
  const value = summary(latencySpans(log));
  return value === null
    ? unmeasured('The player never knew the live edge while the video played.')
    : { value: value / 1000, ...formatClockError(log) };
}

/** A viewer's own choice of rate in a stream on demand is no sign of anything. */
const isLive = (log: SessionLog): boolean =>
  eventsOf(log, 'manifest').some(({ type }) => type === 'dynamic') || readings(log).length > 0;

const readings = (log: SessionLog): { atMs: number; latencyMs: number }[] =>
  byTime(log).flatMap(({ atMs, liveLatencyMs }) =>
    liveLatencyMs === null ? [] : [{ atMs, latencyMs: liveLatencyMs }],
  );

const byTime = (log: SessionLog) =>
  [...eventsOf(log, 'playback')].sort((one, other) => one.atMs - other.atMs);

/** ms behind the live edge, between one reading and the next, and for how long the video played there. */
function latencySpans(log: SessionLog): Weighted[] {
  const played = playSpans(log);
  const all = readings(log);
  return all.slice(1).map(({ atMs, latencyMs }, index) => {
    const before = all[index]!;
    const weight = overlapMs({ fromMs: before.atMs, toMs: atMs }, played);
    return { value: (before.latencyMs + latencyMs) / 2, weight };
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

/** A clock of whole seconds makes every latency too low (docs/session-log.md). */
function formatClockError(log: SessionLog): { note?: string } {
  const errors = eventsOf(log, 'playback').flatMap(({ liveLatencyErrorMs }) =>
    liveLatencyErrorMs === undefined ? [] : [liveLatencyErrorMs],
  );
  if (errors.length === 0) return {};
  const known = errors.flatMap((error) => error ?? []);
  if (known.length < errors.length)
    return { note: 'The clock is that of the device, so it is not known how far the latency is off.' };
  const maxS = known.reduce((max, error) => Math.max(max, error), 0) / 1000;
  return {
    note: `The clock of the stream has whole seconds: the latency may be up to ${maxS.toFixed(1)} s higher.`,
  };
}
