import { type Metric, unmeasured } from './metric.ts';
import { meanOf } from '../statistics/summaries.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';

/** Changes of the rendered video rung; the first rung of a session is not a change. */
export const switchCount: Metric = {
  id: 'switches',
  label: 'switches',
  meaning: 'number of changes of the rendered video level; the first level is not a change',
  unit: '',
  better: 'lower',
  paper: '2019 study of DASH over QUIC parameters §IV-A (number of changes in quality level)',
  unknown: 'no video was rendered',
  headline: 4,
  of(log) {
    const steps = bitrateSteps(log);
    return steps ? { value: steps.length } : unmeasured('No video was rendered.');
  },
};

/** How far a switch goes. */
export const switchMagnitude: Metric = {
  id: 'switch-magnitude',
  label: 'step per switch',
  meaning: 'mean absolute change of bitrate at the changes of the rendered video level',
  unit: 'kbit/s',
  better: 'lower',
  paper: '2020 letter §IV-B (fluctuation of the quality level); the mean per switch is ours',
  unknown: 'no video was rendered, or its level never changed',
  of(log) {
    const steps = bitrateSteps(log);
    if (!steps) return unmeasured('No video was rendered.');
    const value = meanOf(steps.map(Math.abs));
    return value === null ? unmeasured('The level never changed.') : { value };
  },
};

/**
 * The steps between successive rendered video rungs that differ, kbit/s; null when no video was rendered. Rungs are
 * compared by bitrate: where a new period has another ladder, the same place in it is another rung.
 */
function bitrateSteps(log: SessionLog): number[] | null {
  const rendered = eventsOf(log, 'switch')
    .filter(({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered')
    .sort((one, other) => one.atMs - other.atMs);
  if (rendered.length === 0) return null;
  return rendered.slice(1).flatMap(({ bitrateKbps }, index) => {
    const before = rendered[index]!.bitrateKbps;
    return bitrateKbps === before ? [] : [bitrateKbps - before];
  });
}
