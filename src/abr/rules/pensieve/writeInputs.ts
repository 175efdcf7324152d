import type { Moment } from '../../rule.ts';
import { segmentBytes } from '../../segmentBytes.ts';
import type { PensieveState } from './pensieveState.ts';
import type { PensieveWeights } from './pensieveWeights.ts';

/** A decision that is asked for. */
export interface Asked {
  readonly state: PensieveState;
  readonly moment: Moment;
}

/**
 * The state of Pensieve (SIGCOMM 2017, Fig. 5; rows of its `test.py`) into `input`, row after row, each divided by the
 * weights' own constant:
 *
 *     0  bitrate of the segment before          3  download times, newest last, 0 before the first
 *     1  buffer                                 4  sizes of the next segment, one per output of the net
 *     2  rates, newest last, 0 before the first 5  segments left, no more than the constant
 *
 * The released code builds row 5 and then reads row 4 a second time in its place; this is row 5. A live stream, where
 * nobody knows what is left, is as far from its end as the net can see.
 */
export function writeInputs(
  input: Float32Array,
  { divisors, history, ladderKbps }: PensieveWeights,
  { state, moment }: Asked,
): void {
  const { ladder, ratesKbps, downloadMs, trained } = state;
  const { lastRung, segmentsLeft } = moment;
  const top = ladder.length - 1;
  const lastKbps = lastRung === null ? 0 : ladder[Math.min(lastRung, top)]!.bitrateKbps;
  input[0] = (lastKbps * trained.scale) / divisors.bitrateKbps;
  input[1] = moment.bufferMs / divisors.bufferMs;
  let at = 2;
  writeHistory(input, { at, history, values: ratesKbps, factor: trained.scale / divisors.rateKbps });
  at += history;
  writeHistory(input, { at, history, values: downloadMs, factor: 1 / divisors.downloadMs });
  at += history;
  for (let output = 0; output < ladderKbps.length; output += 1) {
    const bytes = segmentBytes(state, moment.segment, trained.rungOf[output]!);
    input[at + output] = (bytes * trained.scale) / divisors.sizeBytes;
  }
  at += ladderKbps.length;
  input[at] = Math.min(segmentsLeft ?? Infinity, divisors.segmentsLeft) / divisors.segmentsLeft;
}

interface Row {
  readonly at: number;
  readonly history: number;
  readonly values: readonly number[];
  readonly factor: number;
}

function writeHistory(input: Float32Array, { at, history, values, factor }: Row): void {
  const unknown = history - values.length;
  for (let column = 0; column < history; column += 1)
    input[at + column] = column < unknown ? 0 : values[column - unknown]! * factor;
}
