import { eventsOf } from '../eventsOf.ts';
import { logEndMs } from '../logEndMs.ts';
import type { Metric } from '../metric.ts';
import { playedMs, playSpans } from '../playSpans.ts';

/** rebuffer / (rebuffer + play). Rebuffering is waiting → playing after the first playing, without seeks. */
export const rebufferRate: Metric = {
  id: 'rebuffer-rate',
  label: 'rebuffer rate',
  unit: '%',
  better: 'lower',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017',
  of(log) {
    const lastMs = logEndMs(log);
    const stalledMs = eventsOf(log, 'stall').reduce(
      // An open stall lasted at least until the log ends.
      (sum, { atMs, durationMs }) => sum + (durationMs ?? Math.max(0, lastMs - atMs)),
      0,
    );
    const total = stalledMs + playedMs(playSpans(log));
    return total > 0 ? { value: (100 * stalledMs) / total } : { value: null, why: 'Playback never started.' };
  },
};
