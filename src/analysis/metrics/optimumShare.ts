import { qoeModels } from '../../shared/qoe.ts';
import { pick } from '../../shared/registry.ts';
import { eventsOf } from '../eventsOf.ts';
import type { Metric } from '../metric.ts';
import { playedMs, playSpans } from '../playSpans.ts';
import { sessionQoe } from '../sessionQoe.ts';
import { unmeasured } from '../unmeasured.ts';
import { videoLadder } from '../videoLadder.ts';

const linear = pick(qoeModels, 'lin');

/**
 * The published "0.9xx". Both are sums over all segments but the first, so that a session that did not play its whole
 * video has no share.
 */
export const optimumShare: Metric = {
  id: 'optimum-share',
  label: 'of the optimum',
  meaning:
    'linear QoE, summed over the segments after the first, as a share of the offline optimum of the same trace and video (environment.traceOptimum, the same sum), which pitwall sim writes into logs of its chunk model',
  unit: '%',
  better: 'higher',
  paper: 'Mao et al., Pensieve, SIGCOMM 2017, §5 (normalized QoE); Yin et al., SIGCOMM 2015, §6.1 (n-QoE)',
  unknown:
    'the optimum was not computed or is not above 0, the session was not played in the chunk model, or it did not play the whole video',
  of(log) {
    const { traceOptimum, missing } = log.environment;
    if (traceOptimum === null) return unmeasured(unreported(missing['traceOptimum']));
    if (traceOptimum <= 0)
      return unmeasured('The offline optimum is not above 0, so a share of it has no meaning.');
    const qoe = sessionQoe(log, linear);
    if (!qoe.ok) return unmeasured(qoe.error);
    const wholeMs = eventsOf(log, 'manifest').find(({ durationMs }) => durationMs !== null)?.durationMs;
    const segmentMs = videoLadder(log)?.segmentMs ?? 0;
    if (wholeMs == null) return unmeasured('The length of the video is not known.');
    if (Math.abs(playedMs(playSpans(log)) - wholeMs) > segmentMs / 2)
      return unmeasured('The session did not play the whole video; the optimum is for the whole video.');
    return { value: (100 * qoe.value.sum) / traceOptimum };
  },
};

const unreported = (reason: string | undefined): string =>
  reason === 'not-applicable'
    ? 'The optimum is for the chunk model, and this session was not played in it.'
    : 'The offline optimum of this trace was not computed.';
