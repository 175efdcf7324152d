import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** Frames that were decoded but never shown: the machine was too slow, not the network. */
export const droppedFrames: Metric = {
  id: 'dropped-frames',
  label: 'dropped frames',
  unit: '',
  better: 'lower',
  paper: 'W3C Media Playback Quality, droppedVideoFrames',
  of(log) {
    const last = eventsOf(log, 'frames').at(-1);
    return last ? { value: last.dropped } : { value: null, why: 'The browser counted no frames.' };
  },
};
