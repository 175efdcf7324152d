import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { playSpans } from '../playSpans.ts';

/** Bitrate of the rendered video rung, weighted by the time it was on screen while the picture moved. */
export const meanBitrate: Metric = {
  id: 'mean-bitrate',
  label: 'mean bitrate',
  unit: 'kbit/s',
  better: 'higher',
  paper: 'playback bitrate of the 2018 thesis (its §4.3) and the 2024 racing paper, weighted by time',
  of(log) {
    const switches = eventsOf(log, 'switch').filter(
      ({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered',
    );
    if (switches.length === 0) return { value: null, why: 'No video was rendered.' };
    let weighted = 0;
    let shownMs = 0;
    for (const { fromMs, toMs } of playSpans(log))
      switches.forEach(({ atMs, bitrateKbps }, index) => {
        // The first rung is on screen from the first frame on, also where its event came a moment later.
        const beginMs = Math.max(fromMs, index === 0 ? 0 : atMs);
        const endMs = Math.min(toMs, switches[index + 1]?.atMs ?? toMs);
        if (endMs <= beginMs) return;
        weighted += bitrateKbps * (endMs - beginMs);
        shownMs += endMs - beginMs;
      });
    return shownMs > 0 ? { value: weighted / shownMs } : { value: null, why: 'The picture never moved.' };
  },
};
