import { eventsOf } from '../eventsOf.ts';
import { addFrames, noFrames } from '../frameCount.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** Frames that were decoded but never shown: the machine was too slow, not the network. */
export const droppedFrames: Metric = {
  id: 'dropped-frames',
  label: 'dropped frames',
  meaning:
    'number of frames that were decoded but not shown, because the machine (not the network) was too slow',
  unit: '',
  better: 'lower',
  paper: 'W3C Media Playback Quality, droppedVideoFrames',
  unknown: 'the browser counted no frames',
  of(log) {
    const frames = noFrames();
    for (const event of [...eventsOf(log, 'frames')].sort((one, other) => one.atMs - other.atMs))
      addFrames(frames, event);
    return frames.seen ? { value: frames.dropped } : unmeasured('The browser counted no frames.');
  },
};
