import { type Metric, unmeasured } from './metric.ts';
import { weightedQuantile } from '../statistics/summaries.ts';
import { renderedSpans, videoLadder } from '../timeline/played.ts';
import { eventsOf } from '../timeline/log.ts';
import { addFrames, noFrames } from '../timeline/series.ts';

/** Bitrate of the rendered video rung, weighted by the time it was on screen while the picture moved. */
export const meanBitrate: Metric = {
  id: 'mean-bitrate',
  label: 'mean bitrate',
  meaning:
    'mean bitrate of the rendered video level, weighted by the viewer’s time in which it was shown while the video played, whatever the playback rate',
  unit: 'kbit/s',
  better: 'higher',
  isPositive: true,
  paper: '2018 thesis §4.1 (average playback bitrate, there of downloaded segments); 2020 letter §IV-A',
  unknown: 'no video was rendered, or it never played',
  headline: 1,
  of(log) {
    const spans = renderedSpans(log);
    if (spans.length === 0) return unmeasured('No video was rendered while it played.');
    let [weighted, shownMs] = [0, 0];
    for (const { fromMs, toMs, bitrateKbps } of spans) {
      weighted += bitrateKbps * (toMs - fromMs);
      shownMs += toMs - fromMs;
    }
    return { value: weighted / shownMs };
  },
};

/** Half of the time in which the picture moved had at most this bitrate. */
export const medianBitrate: Metric = {
  id: 'median-bitrate',
  label: 'median bitrate',
  meaning:
    'the lowest bitrate of a rendered video level that was not exceeded for half of the viewer’s time in which the video played',
  unit: 'kbit/s',
  better: 'higher',
  isPositive: true,
  paper: '2020 letter §IV-A (distributions of playback bitrate); weighting by time is ours',
  unknown: 'no video was rendered, or it never played',
  of(log) {
    const shown = renderedSpans(log).map(({ fromMs, toMs, bitrateKbps }) => ({
      value: bitrateKbps,
      weight: toMs - fromMs,
    }));
    const value = weightedQuantile(shown, 0.5);
    return value === null ? unmeasured('No video was rendered while it played.') : { value };
  },
};

/** Levels count from 1, the lowest, as people see them; over several ladders by bitrate, in all of them together. */
export const meanQualityLevel: Metric = {
  id: 'mean-quality-level',
  label: 'mean level',
  meaning:
    'mean level of the rendered video (1 is the lowest level of the ladder), weighted by the viewer’s time in which it was shown while the video played, whatever the playback rate',
  unit: '',
  better: 'higher',
  decimals: 2,
  paper: '2019 study of DASH over QUIC parameters §IV-A (quality level of all displayed segments)',
  unknown: 'no ladder was read, no video was rendered, or it never played',
  of(log) {
    const ladder = videoLadder(log);
    if (!ladder) return unmeasured('No ladder of video levels was read.');
    const spans = renderedSpans(log);
    if (spans.length === 0) return unmeasured('No video was rendered while it played.');
    let [levelMs, shownMs] = [0, 0];
    for (const { fromMs, toMs, rung, bitrateKbps } of spans) {
      levelMs += (ladder.levelOf(rung, bitrateKbps) + 1) * (toMs - fromMs);
      shownMs += toMs - fromMs;
    }
    return { value: levelMs / shownMs };
  },
};

/** Frames that were decoded but never shown: the machine was too slow, or hardly any video was loaded. */
export const droppedFrames: Metric = {
  id: 'dropped-frames',
  label: 'dropped frames',
  meaning:
    'number of frames that were decoded but not shown: the machine was too slow, or they came too late where hardly any video was loaded',
  unit: '',
  better: 'lower',
  paper: 'W3C Media Playback Quality, droppedVideoFrames',
  unknown: 'the browser counted no frames',
  of(log) {
    const frames = noFrames();
    for (const event of [...eventsOf(log, 'frames')].sort((one, other) => one.atMs - other.atMs))
      addFrames(frames, event);
    return frames.seen ? { value: frames.dropped } : unmeasured('The browser counted no frames.');
  },
};
