import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** Stalls after the first frame, seeks left out. */
export const rebufferCount: Metric = {
  id: 'rebuffer-count',
  label: 'stalls',
  unit: '',
  better: 'lower',
  paper: 'number of stalls of the 2019 study of DASH over QUIC parameters',
  of(log) {
    const played = eventsOf(log, 'playback').some(({ state }) => state === 'playing');
    return played
      ? { value: eventsOf(log, 'stall').length }
      : { value: null, why: 'Playback never started.' };
  },
};
