import type { Metric } from '../metric.ts';
import { playedMs, playSpans } from '../playSpans.ts';
import { stallSpans } from '../stallSpans.ts';
import { unmeasured } from '../unmeasured.ts';

/** rebuffer / (rebuffer + play). Rebuffering is waiting → playing after the first playing, without seeks. */
export const rebufferRate: Metric = {
  id: 'rebuffer-rate',
  label: 'rebuffer rate',
  meaning: 'rebuffer time / (rebuffer time + time in which the video played)',
  unit: '%',
  better: 'lower',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017, §6.5; 2018 thesis §4.1',
  unknown: 'playback never started',
  headline: 3,
  of(log) {
    const stalledMs = stallSpans(log).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0);
    const total = stalledMs + playedMs(playSpans(log));
    return total > 0 ? { value: (100 * stalledMs) / total } : unmeasured('Playback never started.');
  },
};
