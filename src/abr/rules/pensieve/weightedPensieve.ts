import { ok, type Result } from '../../../shared/result.ts';
import { rateOf } from '../../estimators/harmonicMean.ts';
import type { Answer, DownloadEvent, Rule, Moment } from '../../rule.ts';
import { unmeasured } from '../../answer.ts';
import { PENSIEVE_ENTRY, type PensieveState, type TrainedLadder } from './pensieveEntry.ts';
import { PensieveNet } from './pensieveNet.ts';
import { type PensieveWeights, readPensieveWeights } from './pensieveWeights.ts';
import { segmentBytes, sizeNote } from '../../segmentBytes.ts';
import type { Ladder } from '../../ladder.ts';
import { mbps, formatRung } from '../../format.ts';

/**
 * Pensieve with the weights of a file. Three public bugs are avoided: row 5 of the state, segments left, is read and not
 * row 4 again; the rung is the most probable one, not a random draw (0.943 instead of 0.925 a segment on HSDPA with the
 * released weights); and the time of a download runs from the request to the last byte, as in the simulator that trained
 * the net, not from the first byte as in the released server.
 */
export function weightedPensieve(text: string): Result<Rule<PensieveState>> {
  const weights = readPensieveWeights(text);
  return weights.ok ? ok(weighted(weights.value)) : weights;
}

function weighted(weights: PensieveWeights): Rule<PensieveState> {
  const { name, ladderKbps, history, width } = weights;
  const net = new PensieveNet(weights);
  // Scratch of one decision, kept so that none allocates it.
  const input = new Float32Array(net.inputs);
  return {
    ...PENSIEVE_ENTRY,
    parameters: { weights: name, rungs: ladderKbps.length, history, width },
    start: ({ mediaType, ladder, segmentMs, sizeBytes }) => ({
      mediaType,
      ladder,
      segmentMs,
      sizeBytes,
      trained: trainedLadder(ladder, ladderKbps),
      ratesKbps: [],
      downloadMs: [],
    }),
    observe(state, event) {
      if (event.kind === 'ladder') {
        const { ladder, segmentMs } = event;
        return { ...state, ladder, segmentMs, trained: trainedLadder(ladder, ladderKbps) };
      }
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      return withDownload(state, event, history);
    },
    decide(state, moment) {
      if (state.ratesKbps.length === 0) return unmeasured(state.ladder, moment);
      writeInputs(input, weights, { state, moment });
      return answerOf(net.oddsFor(input), weights, { state, moment });
    },
  };
}

function withDownload(state: PensieveState, download: DownloadEvent, history: number): PensieveState {
  const rateKbps = rateOf(download);
  // A body of nothing is no measurement of the path either.
  if (rateKbps === null || rateKbps <= 0) return state;
  const tookMs = download.lastByteMs - download.startMs;
  return {
    ...state,
    ratesKbps: [...state.ratesKbps, rateKbps].slice(-history),
    downloadMs: [...state.downloadMs, tookMs].slice(-history),
  };
}

function answerOf(odds: Float32Array, weights: PensieveWeights, { state, moment }: Asked): Answer {
  const output = maxProbable(odds);
  const probability = odds[output]!;
  const { rungOf, scale } = state.trained;
  const rung = rungOf[output]!;
  return {
    rung,
    because: () => formatNet(weights, { rung, probability, state, moment }),
    values: { probability, trainedRung: output, ladderScale: scale, lastRateKbps: state.ratesKbps.at(-1)! },
  };
}

function maxProbable(odds: Float32Array): number {
  let output = 0;
  for (let each = 1; each < odds.length; each += 1) if (odds[each]! > odds[output]!) output = each;
  if (!Number.isFinite(odds[output]!))
    throw new Error('The net of pensieve has no finite answer to this state: its weights are too large.');
  return output;
}

/** A decision that is asked for. */
interface Asked {
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

/**
 * The present ladder in the eyes of the net. Everything that is measured in bits is scaled so that both top rungs are
 * equal, and each output stands for the rung of nearest bitrate, by ratio; of two equally near the lower.
 *
 * The scaling is sound for the linear QoE, whose µ is the top rung: with all bits times a constant, the same rungs give
 * the same download times and stalls and the QoE times that constant. Without it rows 2 and 4, in absolute Mbytes,
 * leave the trained range on any higher ladder, and a net for 4.3 Mbit/s would never ask for more.
 */
export function trainedLadder(ladder: Ladder, trainedKbps: readonly number[]): TrainedLadder {
  const scale = trainedKbps.at(-1)! / ladder.at(-1)!.bitrateKbps;
  return { scale, rungOf: trainedKbps.map((kbps) => nearest(ladder, kbps / scale)) };
}

function nearest(ladder: Ladder, wantedKbps: number): number {
  let found = 0;
  let min = Infinity;
  ladder.forEach(({ bitrateKbps }, rung) => {
    const distance = Math.abs(Math.log(bitrateKbps / wantedKbps));
    if (distance < min - 1e-12) {
      min = distance;
      found = rung;
    }
  });
  return found;
}

interface NetAnswer {
  readonly rung: number;
  readonly probability: number;
  readonly state: PensieveState;
  readonly moment: Moment;
}

/** Formats what the net answered, and how its inputs were scaled where the ladder is not its own. */
function formatNet(weights: PensieveWeights, { rung, probability, state, moment }: NetAnswer): string {
  const odds = `a probability of ${Math.round(probability * 100)} %, more than any other`;
  return `The net "${weights.name}" gives ${formatRung(state.ladder, rung)} ${odds}${ladderNote(state, weights)}${sizeNote(state, moment.segment)}.`;
}

/** Empty on the ladder that the net was trained on. */
function ladderNote({ ladder, trained }: PensieveState, { ladderKbps }: PensieveWeights): string {
  const same =
    ladder.length === ladderKbps.length &&
    ladder.every(({ bitrateKbps }, rung) => bitrateKbps === ladderKbps[rung]);
  if (same) return '';
  const from = `${ladderKbps.length} levels from ${mbps(ladderKbps[0]!)} to ${mbps(ladderKbps.at(-1)!)}`;
  const scale = Number(trained.scale.toPrecision(3));
  return ` (it was trained on ${from}; rates and sizes are read × ${scale}, and each of its levels stands for the nearest here)`;
}
