import { exp } from '../../../shared/exactMath/exp.ts';
import { segmentBytes, segmentMsOf } from '../../segmentBytes.ts';
import { fullMs, type Asked } from './netInputs.ts';
import { latencyMsOf } from './neuralState.ts';

/** Rungs, both included. */
export interface Bounds {
  readonly min: number;
  readonly max: number;
}

export const UNBOUNDED: Bounds = { min: 0, max: Infinity };

/** Downloads whose lowest rate counts: as many as MPC looks back on (Yin et al., SIGCOMM 2015, §5.2). */
const LOOK_BACK = 5;
/** Share of the level at which the player waits above which a rung that lasts is worth more than a fuller buffer. */
const FULL_SHARE = 0.5;
/** How much faster than it plays a rung has to come before a lower one is refused. */
const MARGIN = 2;
/** How much faster than it plays a rung has to come to be allowed whatever the buffer: after a seek there is none. */
const AT_ONCE = 4;

/**
 * What the buffer allows, if the next segment comes as slowly as the slowest of the last five: no rung above the
 * highest that would not empty it or comes four times as fast as it plays, and no rung lower than one that leaves it
 * half full and comes twice as fast as it plays. The first always leaves the lowest rung, and the second asks for no
 * more than the first allows. Measured with and without in docs/neural.md. In the spirit of the buffer-based rules
 * (Huang et al., SIGCOMM 2014), with sizes instead of a map.
 */
export function boundsOf({ state, measured, moment }: Asked): Bounds {
  const slowest = exp(Math.min(...measured.rateLn.slice(0, LOOK_BACK)));
  const latencyMs = latencyMsOf(measured.latencyLn);
  const segmentMs = segmentMsOf(state);
  const sparedMs = Math.min(segmentMs / MARGIN, moment.bufferMs - FULL_SHARE * fullMs(moment, segmentMs));
  const heldMs = Math.max(moment.bufferMs, segmentMs / AT_ONCE);
  let min = 0;
  let max = 0;
  for (let rung = 1; rung < state.ladder.length; rung += 1) {
    const tookMs = latencyMs + (segmentBytes(state, moment.segment, rung) * 8) / slowest;
    if (tookMs <= heldMs) max = rung;
    if (tookMs <= sparedMs) min = rung;
  }
  return { min: Math.min(min, max), max };
}
