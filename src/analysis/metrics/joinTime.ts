import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** Play requested → first frame playing. */
export const joinTime: Metric = {
  id: 'join-time',
  label: 'join time',
  meaning: 'time from the first request to play to the first frame that plays',
  unit: 'ms',
  better: 'lower',
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
