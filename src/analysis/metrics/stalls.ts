import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { totalMs } from '../timeline/spans.ts';
import { MIN_STALL_MS } from '../../shared/stalls.ts';
import { eventsOf } from '../timeline/log.ts';
import { hasPlayed, playSpans, stallSpans, waitSpans } from '../timeline/played.ts';
import { type Metric, unmeasured } from './metric.ts';
import { meanOf } from '../statistics/summaries.ts';

/** Stalls after the first frame, seeks left out. Shorter waits are rebuffer time, but no stall of their own. */
export const rebufferCount: Metric = {
  id: 'rebuffer-count',
  label: 'stalls',
  meaning: `number of times that playback waited for media for at least ${MIN_STALL_MS} ms after the first frame; the wait after a seek is not counted`,
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
    'total time in which playback waited for media (waiting → playing, after the first playing, without seeks), however short each wait was; a wait that is open at the end of the log counts up to that end',
  unit: 'ms',
  better: 'lower',
  rareEvent: 'stalled',
  paper: '2020 letter §IV-C (rebuffering time); ΣT_n of its eq. 1',
  unknown: 'playback never started',
  of(log) {
    if (!hasPlayed(log)) return unmeasured('Playback never started.');
    return { value: stalledMs(log) };
  },
};

/** rebuffer / (rebuffer + play). Rebuffering is waiting → playing after the first playing, without seeks. */
export const rebufferRate: Metric = {
  id: 'rebuffer-rate',
  label: 'rebuffer rate',
  meaning: 'rebuffer time / (rebuffer time + time in which the video played)',
  unit: '%',
  better: 'lower',
  rareEvent: 'stalled',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.5; 2018 thesis §4.1',
  unknown: 'playback never started',
  headline: 3,
  of(log) {
    const stallMs = stalledMs(log);
    const total = stallMs + totalMs(playSpans(log));
    return total > 0 ? { value: (100 * stallMs) / total } : unmeasured('Playback never started.');
  },
};

/** Play requested → first frame playing. */
export const joinTime: Metric = {
  id: 'join-time',
  label: 'join time',
  meaning: 'time from the first request to play to the first frame that plays',
  unit: 'ms',
  better: 'lower',
  isPositive: true,
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.4 ("video latency")',
  unknown: 'play was never requested, or playback never started',
  headline: 2,
  of(log) {
    const states = [...eventsOf(log, 'playback')].sort((one, other) => one.atMs - other.atMs);
    const requested = states.find(({ state }) => state === 'play-requested');
    if (!requested) return unmeasured('Play was never requested.');
    const playing = states.find(({ state, atMs }) => state === 'playing' && atMs >= requested.atMs);
    return playing ? { value: playing.atMs - requested.atMs } : unmeasured('Playback never started.');
  },
};

/** Seek requested → playing at the new position. */
export const seekWait: Metric = {
  id: 'seek-wait',
  label: 'wait after seek',
  meaning:
    'mean time from a seek to playback at the new position; seeks while paused, replaced by another seek, or unfinished are left out',
  unit: 'ms',
  better: 'lower',
  paper: '2018 thesis §4.1 (average wait time after seeking; under 2 s is good)',
  unknown: 'no seek led to playback',
  of(log) {
    const waits = eventsOf(log, 'seek').flatMap(({ waitMs }) => (waitMs === null ? [] : [waitMs]));
    const value = meanOf(waits);
    return value === null ? unmeasured('No seek led to playback.') : { value };
  },
};

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

const stalledMs = (log: SessionLog): number =>
  waitSpans(log).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
