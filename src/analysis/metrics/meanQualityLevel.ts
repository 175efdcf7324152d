import type { Metric } from '../metric.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { unmeasured } from '../unmeasured.ts';
import { videoLadder } from '../videoLadder.ts';

/** Levels count from 1, the lowest, as people see them; over several ladders by bitrate, in all of them together. */
export const meanQualityLevel: Metric = {
  id: 'mean-quality-level',
  label: 'mean level',
  meaning:
    'mean level of the rendered video (1 is the lowest rung of the ladder), weighted by the time that it was shown while the video played',
  unit: '',
  better: 'higher',
  decimals: 2,
  paper: '2019 study of DASH over QUIC parameters §IV-A (quality level of all displayed segments)',
  unknown: 'no ladder was read, no video was rendered, or it never played',
  of(log) {
    const bitratesKbps = videoLadder(log)?.bitratesKbps;
    if (!bitratesKbps) return unmeasured('No ladder of video rungs was read.');
    const spans = renderedSpans(log);
    if (spans.length === 0) return unmeasured('No video was rendered while it played.');
    let [levelMs, shownMs] = [0, 0];
    for (const { fromMs, toMs, bitrateKbps } of spans) {
      levelMs += (bitratesKbps.indexOf(bitrateKbps) + 1) * (toMs - fromMs);
      shownMs += toMs - fromMs;
    }
    return { value: levelMs / shownMs };
  },
};
