import { hasPlayed } from '../hasPlayed.ts';
import type { Metric } from '../metric.ts';
import { stallSpans } from '../stallSpans.ts';
import { unmeasured } from '../unmeasured.ts';

/** Σ of the stalls. */
export const rebufferTime: Metric = {
  id: 'rebuffer-time',
  label: 'rebuffer time',
  meaning:
    'total duration of the stalls (waiting → playing, after the first playing, without seeks); a stall that is open at the end of the log counts up to that end',
  unit: 'ms',
  better: 'lower',
  paper: '2020 letter §IV-C (rebuffering time); ΣT_n of its eq. 1',
  unknown: 'playback never started',
  of(log) {
    if (!hasPlayed(log)) return unmeasured('Playback never started.');
    return { value: stallSpans(log).reduce((sum, { fromMs, toMs }) => sum + toMs - fromMs, 0) };
  },
};
