import { gapsOf } from '../gapsOf.ts';
import type { Diagnostic } from './finding.ts';
import { lasting } from './format.ts';

/** A hidden page is another experiment than a visible one. A gap in the recording ends what was hidden before it. */
export const hiddenTab: Diagnostic = {
  id: 'hidden-tab',
  label: 'hidden tab',
  watch({ parts }) {
    const gaps = gapsOf(parts);
    let sinceMs: number | null = null;
    let [times, hiddenMs, firstMs, lastMs] = [0, 0, 0, 0];
    const lengthUntil = (endMs: number): number => {
      if (sinceMs === null) return 0;
      const gapMs = gaps.find(({ toMs }) => toMs > (sinceMs ?? 0))?.fromMs ?? Infinity;
      return Math.max(0, Math.min(endMs, gapMs) - sinceMs);
    };
    return {
      see(event) {
        lastMs = Math.max(lastMs, event.atMs);
        if (event.kind !== 'visibility') return;
        hiddenMs += lengthUntil(event.atMs);
        sinceMs = event.hidden ? event.atMs : null;
        if (event.hidden && (times += 1) === 1) firstMs = event.atMs;
      },
      findings() {
        if (times === 0) return [];
        const often = times === 1 ? '' : ` (${times} times)`;
        const sentence = `The tab was hidden for ${lasting(hiddenMs + lengthUntil(lastMs))}${often}, where browsers slow timers down and draw no frames`;
        return [{ id: 'hidden-tab', severity: 'note', sentence, fix: null, atMs: firstMs }];
      },
    };
  },
};
