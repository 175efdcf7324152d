import { ok, type Result } from '../../../shared/result.ts';
import { rateOf } from '../../estimators/harmonicMean.ts';
import type { Answer, DownloadEvent, Rule } from '../../rule.ts';
import { unmeasured } from '../../answer.ts';
import { formatNet } from './formatNet.ts';
import { PENSIEVE_ENTRY } from './pensieveEntry.ts';
import { PensieveNet } from './pensieveNet.ts';
import type { PensieveState } from './pensieveState.ts';
import type { PensieveWeights } from './pensieveWeights.ts';
import { readPensieveWeights } from './readPensieveWeights.ts';
import { trainedLadder } from './trainedLadder.ts';
import { writeInputs, type Asked } from './writeInputs.ts';

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
