import { eventsOf } from '../eventsOf.ts';
import { addFrames, noFrames } from '../frameCount.ts';
import type { Metric } from '../metric.ts';

/** Frames that were decoded but never shown: the machine was too slow, not the network. */
export const droppedFrames: Metric = {
  id: 'dropped-frames',
  label: 'dropped frames',
  unit: '',
  better: 'lower',
  paper: 'W3C Media Playback Quality, droppedVideoFrames',
  of(log) {
    const frames = noFrames();
    for (const event of eventsOf(log, 'frames')) addFrames(frames, event);
    return frames.seen ? { value: frames.dropped } : { value: null, why: 'The browser counted no frames.' };
  },
};
