import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';

/** Changes of the rendered video rung; the first rung of a session is not a change. */
export const switchCount: Metric = {
  id: 'switches',
  label: 'switches',
  unit: '',
  better: 'lower',
  paper: 'number of quality changes of the 2019 study of DASH over QUIC parameters',
  of(log) {
    const rungs = eventsOf(log, 'switch')
      .filter(({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered')
      .map(({ toRung }) => toRung);
    if (rungs.length === 0) return { value: null, why: 'No video was rendered.' };
    return { value: rungs.filter((rung, index) => index > 0 && rung !== rungs[index - 1]).length };
  },
};
