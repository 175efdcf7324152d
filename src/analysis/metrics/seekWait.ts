import { eventsOf } from '../eventsOf.ts';
import { meanOf } from '../meanOf.ts';
import type { Metric } from '../metric.ts';
import { unmeasured } from '../unmeasured.ts';

/** Seek requested → playing at the new position. */
export const seekWait: Metric = {
  id: 'seek-wait',
  label: 'wait after seek',
  meaning:
    'mean time from a seek to playback at the new position; seeks while paused, replaced by another seek, or unfinished are left out',
  unit: 'ms',
  better: 'lower',
  paper: '2018 thesis §4.1 (average wait time after seeking; under 2 s is good)',
  unknown: 'no seek led to playback',
  of(log) {
    const waits = eventsOf(log, 'seek').flatMap(({ waitMs }) => (waitMs === null ? [] : [waitMs]));
    const value = meanOf(waits);
    return value === null ? unmeasured('No seek led to playback.') : { value };
  },
};
