import { sessionWindows } from '../correlation/sessionWindows.ts';
import { meanOf } from '../meanOf.ts';
import type { Metric } from '../metric.ts';
import { renderedSpans } from '../renderedSpans.ts';
import { unmeasured } from '../unmeasured.ts';

/**
 * B of the racing paper, as a mean over the windows. The paper leaves open how long a drop lasts: here until the next
 * change of rung, also over the border of a window, in time that the picture moved.
 */
export const qualityDrop: Metric = {
  id: 'quality-drop',
  label: 'quality drop per window',
  meaning:
    'mean, over the whole windows of 30 s, of B = (e(q_prev) − e(q)) × time at the lower level inside the window; e is the level in the session’s ladder, from 1; only drops count',
  unit: 'level·s',
  better: 'lower',
  decimals: 1,
  paper: 'Chaudhary et al., IEEE TNSM 21(3), 2024, §VI-A (quality drop duration B)',
  unknown: 'the session is shorter than a window, or no video was rendered',
  of(log) {
    if (renderedSpans(log).length === 0) return unmeasured('No video was rendered while it played.');
    const value = meanOf(sessionWindows(log).map(({ qualityDropS }) => qualityDropS));
    return value === null ? unmeasured('The session is shorter than one window of 30 s.') : { value };
  },
};
