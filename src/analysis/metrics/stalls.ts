import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { totalMs } from '../timeline/spans.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { eventsOf, logEndMs, oncePerLog } from '../timeline/log.ts';
import { hasPlayed, isEndOfPlayback, playSpans, stallSpans, waitSpans } from '../timeline/played.ts';
import { type Measured, type Metric, unmeasured } from './metric.ts';
import { meanOf } from '../statistics/summaries.ts';
import { formatCount } from '../../shared/format.ts';

/** Stalls after the first frame, seeks left out. Shorter waits are rebuffer time, but no stall of their own. */
export const rebufferCount: Metric = {
  id: 'rebuffer-count',
  label: 'stalls',
  meaning: `number of times that the picture, or the sound alone, stood for want of media for at least ${MIN_STALL_MS} ms after playback began; the wait after a seek of the viewer is not counted`,
  unit: '',
  better: 'lower',
  rareEvent: 'stalled',
  paper: '2019 study of DASH over QUIC parameters §IV-A (number of stalling events)',
  unknown: 'playback never started',
  of: (log) => (hasPlayed(log) ? { value: stallSpans(log).length } : unmeasured('Playback never started.')),
};

/** Σ of the waits. A sum needs no least length: the terms that one would leave out are the smallest. */
export const rebufferTime: Metric = {
  id: 'rebuffer-time',
  label: 'rebuffer time',
  meaning:
    'total time in which the picture, or the sound alone, stood for want of media after playback began, without the waits after seeks of the viewer, however short each was; a stall in which the session is stopped ends there, and where the log was cut off in one the value is “at least”',
  unit: 'ms',
  better: 'lower',
  rareEvent: 'stalled',
  paper: '2020 letter §IV-C (rebuffering time); ΣT_n of its eq. 1',
  unknown: 'playback never started',
  of(log) {
    if (!hasPlayed(log)) return unmeasured('Playback never started.');
    return censored(stalledMs(log), hasOpenStall(log));
  },
};

/** rebuffer / (rebuffer + play): of what the viewer sees. */
export const rebufferRate: Metric = {
  id: 'rebuffer-rate',
  label: 'rebuffer rate',
  meaning:
    'rebuffer time / (rebuffer time + time in which the picture moved); “at least” where the rebuffer time is',
  unit: '%',
  better: 'lower',
  rareEvent: 'stalled',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.5; 2018 thesis §4.1',
  unknown: 'playback never started',
  headline: 3,
  of(log) {
    const stallMs = stalledMs(log);
    const total = stallMs + totalMs(playSpans(log));
    return total > 0
      ? censored((100 * stallMs) / total, hasOpenStall(log))
      : unmeasured('Playback never started.');
  },
};

/** Play requested → first frame. */
export const joinTime: Metric = {
  id: 'join-time',
  label: 'join time',
  meaning:
    'time from the first request to play to the first frame that the browser presents after it; where the browser does not report frames, to the start of playback; “at least” where no frame came: up to the moment at which the viewer paused, playback failed or was stopped, or the log ends',
  unit: 'ms',
  better: 'lower',
  isPositive: true,
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.4 ("video latency")',
  unknown: 'play was never requested, or playback had started before',
  headline: 2,
  of(log) {
    const states = statesOf(log);
    const requested = states.find(({ state }) => state === 'play-requested');
    if (!requested) return unmeasured('Play was never requested.');
    const firstOf = (wanted: string) =>
      states.find(({ state, atMs }) => state === wanted && atMs >= requested.atMs);
    const playing = firstOf('first-frame') ?? firstOf('playing');
    if (playing) return { value: playing.atMs - requested.atMs };
    if (hasPlayed(log)) return unmeasured('Playback had started before play was requested.');
    const waitedMs = waitEndMs(log, requested.atMs) - requested.atMs;
    const note = 'No frame had played when the wait ended.';
    return waitedMs > 0 ? { value: waitedMs, lowerBound: true, note } : unmeasured('Playback never started.');
  },
};

/** Seek requested → playing at the new position. */
export const seekWait: Metric = {
  id: 'seek-wait',
  label: 'wait after seek',
  meaning:
    'mean time from a seek to playback at the new position, or to the end of the media where the seek led there; a wait that another seek, a pause, a failure or the end of the log cut off counts as long as it lasted, and the mean is then “at least”; seeks while paused have no wait',
  unit: 'ms',
  better: 'lower',
  paper: '2018 thesis §4.1 (average wait time after seeking; under 2 s is good)',
  unknown: 'nobody waited after a seek',
  of(log) {
    const waits = seekWaits(log);
    const value = meanOf(waits.map(({ waitMs }) => waitMs));
    if (value === null) return unmeasured('Nobody waited after a seek.');
    const cutOff = waits.filter(({ isCutOff }) => isCutOff).length;
    if (cutOff === 0) return { value };
    const note = `Playback did not go on after ${formatCount(cutOff, 'seek')} of ${waits.length}.`;
    return { value, lowerBound: true, note };
  },
};

interface SeekWait {
  readonly waitMs: number;
  /** Playback at the new position was not seen. */
  readonly isCutOff: boolean;
}

/**
 * The waits after seeks, in order. The log has no length for a seek that another one replaced, or after which playback did not
 * go on: its wait lasted until that happened. Seeks while paused make nobody wait before play is requested again.
 */
function seekWaits(log: SessionLog): SeekWait[] {
  const { ended } = momentsOf(log);
  const seeks = [...eventsOf(log, 'seek')].sort((one, other) => one.atMs - other.atMs);
  return seeks.flatMap(({ atMs, waitMs }, index) => {
    if (waitMs !== null) return [{ waitMs, isCutOff: false }];
    const fromMs = waitStartMs(log, atMs);
    const endedMs = ended[countUntil(ended, fromMs)] ?? Infinity;
    const cutMs = Math.min(seeks[index + 1]?.atMs ?? Infinity, waitEndMs(log, fromMs));
    const lastedMs = Math.min(endedMs, cutMs) - fromMs;
    return lastedMs > 0 ? [{ waitMs: lastedMs, isCutOff: endedMs > cutMs }] : [];
  });
}

/** When the viewer began to wait after a seek; never if nobody asked to play. */
function waitStartMs(log: SessionLog, soughtMs: number): number {
  const { wished, requested } = momentsOf(log);
  const isPaused = wished.isPaused[countUntil(wished.atMs, soughtMs) - 1] ?? false;
  return isPaused ? (requested[countUntil(requested, soughtMs)] ?? Infinity) : soughtMs;
}

/** When a wait that began at a moment ended without playback: the viewer gave up, the player did, or nothing more was recorded. */
function waitEndMs(log: SessionLog, fromMs: number): number {
  const { cut } = momentsOf(log);
  return Math.min(cut[countUntil(cut, fromMs)] ?? Infinity, logEndMs(log));
}

/** Moments that begin or end waits, ascending. */
const momentsOf = oncePerLog((log) => {
  const states = statesOf(log);
  const timesOf = (...wanted: readonly string[]): number[] =>
    states.flatMap(({ atMs, state }) => (wanted.includes(state) ? [atMs] : []));
  const wishes = states.filter(({ state }) => state !== 'sample' && state !== 'rate' && state !== 'waiting');
  const failures = eventsOf(log, 'error').filter(isEndOfPlayback);
  const parts = log.parts.flatMap(({ endMs }) => (endMs === null ? [] : [endMs]));
  const cut = [...timesOf('paused', 'stopped'), ...failures.map(({ atMs }) => atMs), ...parts];
  return {
    requested: timesOf('play-requested'),
    ended: timesOf('ended'),
    /** Whether the viewer wants to watch. */
    wished: {
      atMs: wishes.map(({ atMs }) => atMs),
      isPaused: wishes.map(({ state }) => state === 'paused'),
    },
    cut: cut.sort((one, other) => one - other),
  };
});

/** How many of these ascending moments have come by a moment. */
function countUntil(momentsMs: readonly number[], atMs: number): number {
  let [low, high] = [0, momentsMs.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (momentsMs[middle]! <= atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

const statesOf = oncePerLog((log) =>
  [...eventsOf(log, 'playback')].sort((one, other) => one.atMs - other.atMs),
);

/** A pause of the sampler weighs 5 s at most, as in the page's key figure. */
const LONGEST_GAP_MS = 5000;

/** Media ahead of the playhead. */
export const bufferLevel: Metric = {
  id: 'buffer-level',
  label: 'buffer level',
  meaning:
    'mean level of the video buffer (without video: of the audio buffer), weighted by time, interpolated linearly between readings; a gap of more than 5 s counts as 5 s',
  unit: 'ms',
  better: 'higher',
  paper: '2019 study of DASH over QUIC parameters §IV-A (buffer level)',
  unknown: 'the buffer was never read',
  of(log) {
    const readings = [...eventsOf(log, 'buffer')].sort((one, other) => one.atMs - other.atMs);
    const video = readings.filter(({ mediaType }) => mediaType === 'video');
    const levels = video.length > 0 ? video : readings;
    let [area, weight] = [0, 0];
    levels.slice(1).forEach(({ atMs, levelMs }, index) => {
      const before = levels[index]!;
      const ms = Math.min(LONGEST_GAP_MS, atMs - before.atMs);
      area += (ms * (levelMs + before.levelMs)) / 2;
      weight += ms;
    });
    if (weight > 0) return { value: area / weight };
    const last = levels.at(-1);
    return last ? { value: last.levelMs } : unmeasured('The buffer was never read.');
  },
};

const censored = (value: number, lowerBound: boolean): Measured =>
  lowerBound ? { value, lowerBound } : { value };

/** Whether the log was cut off before a stall ended. What stops a session ends its stall: the sum over what was watched is whole then. */
export const hasOpenStall = (log: SessionLog): boolean =>
  eventsOf(log, 'stall').some(({ durationMs }) => durationMs === null);

const stalledMs = (log: SessionLog): number =>
  waitSpans(log).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
