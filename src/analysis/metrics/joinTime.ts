import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** Play requested → first frame playing. */
export const joinTime: Metric = {
  id: 'join-time',
  label: 'join time',
  unit: 'ms',
  better: 'lower',
  paper: 'Langley et al., The QUIC Transport Protocol, SIGCOMM 2017 ("video latency")',
  of(log) {
    const states = eventsOf(log, 'playback');
    const requested = states.find(({ state }) => state === 'play-requested');
    if (!requested) return { value: null, why: 'Nobody asked to play.' };
    const playing = states.find(({ state, atMs }) => state === 'playing' && atMs >= requested.atMs);
    return playing
      ? { value: playing.atMs - requested.atMs }
      : { value: null, why: 'Playback never started.' };
  },
};
