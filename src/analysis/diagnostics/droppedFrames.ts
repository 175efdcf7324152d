import { addFrames, noFrames } from '../frameCount.ts';
import type { Diagnostic } from './finding.ts';
import { formatPercent } from '../../shared/format.ts';

const MAX_SHARE = 0.01;
/** A start drops a few frames everywhere: no share before this many. */
const MIN_FRAMES = 100;

/** More than 1 % of the frames decoded but never shown: the machine was busy, whatever the network did. */
export const droppedFrames: Diagnostic = {
  id: 'dropped-frames',
  label: 'dropped frames',
  watch() {
    const frames = noFrames();
    let firstMs: number | null = null;
    return {
      see(event) {
        if (event.kind !== 'frames') return;
        addFrames(frames, event);
        if (frames.dropped > 0) firstMs ??= event.atMs;
      },
      findings() {
        const { decoded, dropped } = frames;
        if (decoded < MIN_FRAMES || dropped / decoded <= MAX_SHARE) return [];
        const share = formatPercent(dropped / decoded, { decimals: 1 });
        return [
          {
            id: 'dropped-frames',
            severity: 'warning',
            sentence: `${share} of the frames were decoded but never shown (${dropped} of ${decoded}); the network is not the cause`,
            fix: 'reduce the load of the machine, or the ladder',
            atMs: firstMs,
          },
        ];
      },
    };
  },
};
