import { type Metric, unmeasured } from './metric.ts';
import { meanOf } from '../statistics/summaries.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { eventsOf } from '../timeline/log.ts';
import { renderedSpans, videoLadder } from '../timeline/played.ts';

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

/** Seconds over which FESTIVE looks back. */
const LOOK_BACK_SECONDS = 20;

/** How restless the level is: FESTIVE's measure for one player, which counts recent steps more. */
export const instability: Metric = {
  id: 'instability',
  label: 'instability',
  meaning:
    'with b(t) the bitrate of the rendered level in second t, a stall or pause keeping it: the sum of |b(t−d) − b(t−d−1)| × (20−d) for d = 0…19, divided by the sum of b(t−d) × (20−d) for d = 1…20; mean over the seconds from the 21st on',
  unit: '',
  better: 'lower',
  decimals: 3,
  paper: 'Jiang et al., FESTIVE, CoNEXT 2012, §2 (definition of instability, k = 20 s, w(d) = k − d)',
  unknown: 'the session has less than 21 s from the first rendered frame to the last',
  of(log) {
    const bitrates = bitratesBySecond(log);
    const values = bitrates.flatMap((_, second) =>
      second < LOOK_BACK_SECONDS ? [] : [instabilityAt(bitrates, second)],
    );
    const value = meanOf(values);
    return value === null ? unmeasured('Less than 21 s were played.') : { value };
  },
};

function instabilityAt(bitrates: readonly number[], second: number): number {
  let [steps, rates] = [0, 0];
  for (let d = 0; d < LOOK_BACK_SECONDS; d += 1) {
    const step = Math.abs(bitrates[second - d]! - bitrates[second - d - 1]!);
    steps += step * (LOOK_BACK_SECONDS - d);
    // d = 0 is not part of the sum below, and d = 20 has no weight.
    if (d > 0) rates += bitrates[second - d]! * (LOOK_BACK_SECONDS - d);
  }
  return steps / rates;
}

/** kbit/s at each whole second from the first rendered frame to the last; what was rendered last goes on where nothing is. */
function bitratesBySecond(log: SessionLog): number[] {
  const spans = renderedSpans(log);
  const [fromMs, toMs] = [spans[0]?.fromMs ?? 0, spans.at(-1)?.toMs ?? 0];
  const bitrates: number[] = [];
  let at = 0;
  for (let atMs = fromMs; atMs <= toMs && spans.length > 0; atMs += 1000) {
    while (at + 1 < spans.length && spans[at + 1]!.fromMs <= atMs) at += 1;
    bitrates.push(spans[at]!.bitrateKbps);
  }
  return bitrates;
}

/**
 * The steps between successive rendered video rungs that differ, kbit/s; null when no video was rendered. Rungs are
 * compared by bitrate, because where a new period has another ladder the same place in it is another rung. Where one ladder has
 * both at the same bitrate, as of two codecs, they differ by their place, and the step is 0.
 */
function bitrateSteps(log: SessionLog): number[] | null {
  const rendered = eventsOf(log, 'switch')
    .filter(({ mediaType, phase }) => mediaType === 'video' && phase === 'rendered')
    .sort((one, other) => one.atMs - other.atMs);
  if (rendered.length === 0) return null;
  const levelOf = videoLadder(log)?.levelOf ?? ((_: number, kbps: number) => kbps);
  return rendered.slice(1).flatMap(({ toRung, bitrateKbps }, index) => {
    const before = rendered[index]!;
    const isSame = levelOf(toRung, bitrateKbps) === levelOf(before.toRung, before.bitrateKbps);
    return isSame ? [] : [bitrateKbps - before.bitrateKbps];
  });
}
