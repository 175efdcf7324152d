import { eventsOf } from '../eventsOf.ts';
import { hasPlayed } from '../hasPlayed.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** Stalls after the first frame, seeks left out. */
export const rebufferCount: Metric = {
  id: 'rebuffer-count',
  label: 'stalls',
  meaning:
    'number of times that playback waited for media after the first frame; the wait after a seek is not counted',
  unit: '',
  better: 'lower',
  paper: '2019 study of DASH over QUIC parameters §IV-A (number of stalling events)',
  unknown: 'playback never started',
  of: (log) =>
    hasPlayed(log) ? { value: eventsOf(log, 'stall').length } : unmeasured('Playback never started.'),
};
