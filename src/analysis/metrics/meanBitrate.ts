import type { Metric } from '../metric.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { unmeasured } from '../unmeasured.ts';

/** Bitrate of the rendered video rung, weighted by the time it was on screen while the picture moved. */
export const meanBitrate: Metric = {
  id: 'mean-bitrate',
  label: 'mean bitrate',
  meaning:
    'mean bitrate of the rendered video rung, weighted by the time that it was shown while the video played',
  unit: 'kbit/s',
  better: 'higher',
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
