import type { RenderedSpan } from '../timeline/spans.ts';
import {
  qoeModels,
  qoePerSegment,
  withoutFirstSegment,
  type QoeModel,
  type QoeTerms,
} from '../../shared/qoe.ts';
import { pick } from '../../shared/registry.ts';
import { type Metric, unmeasured } from './metric.ts';
import { hasOpenStall } from './stalls.ts';
import { eventsOf } from '../timeline/log.ts';
import { playSpans, waitSpans, videoLadder, renderedSpans } from '../timeline/played.ts';
import { watchedMs, watchedSegments } from '../timeline/watched.ts';
import { failed, ok, type Result } from '../../shared/result.ts';
import type { SessionLog } from '../../telemetry/schema/sessionLog.ts';

/** The metric of one QoE model. Its parts are its three terms, per segment, and add up to it. */
function qoeMetric(modelId: string, naming: Pick<Metric, 'id' | 'label' | 'unit' | 'headline'>): Metric {
  const model = pick(qoeModels, modelId);
  return {
    ...naming,
    meaning: `(Σ q(R_n) − µ Σ T_n − Σ |q(R_n) − q(R_{n−1})|) per segment, over the rendered segments after the first, T in s; ${MEANINGS[modelId]}; segments are counted in media time, each by its own length and a part of one as that part, whatever the playback rate`,
    better: 'higher',
    decimals: 3,
    paper: `2020 letter eq. 1; ${model.paper}`,
    unknown: 'ladder or segment duration is unknown, or at most one segment was played',
    of(log) {
      const qoe = sessionQoe(log, model);
      if (!qoe.ok) return unmeasured(qoe.error);
      const { segments, quality, variation, rebufferS, mu, perSegment, meaning } = qoe.value;
      return {
        value: perSegment,
        note: `${meaning[0]!.toUpperCase()}${meaning.slice(1)}.${hasOpenStall(log) ? OPEN_STALL : ''}`,
        by: {
          quality: quality / segments,
          rebuffering: (-mu * rebufferS) / segments,
          switching: -variation / segments,
        },
      };
    },
  };
}

/** A longer wait would only lower the value, so that it is no lower bound as others are. */
const OPEN_STALL = ' A stall goes on at the end of the log: the value is at most this.';

const MEANINGS: Readonly<Record<string, string>> = {
  lin: 'q = bitrate in Mbit/s, µ = the top level in Mbit/s (4.3 on the ladder of the papers)',
  log: 'q = ln(bitrate / lowest bitrate), µ = 2.66',
  hd: 'q by the table 1, 2, 3, 12, 15, 20 at 0.3, 0.75, 1.2, 1.85, 2.85, 4.3 Mbit/s, linear between them and constant beyond, µ = 8',
};

/** The QoE of the 2020 letter. */
export const qoeLinear = qoeMetric('lin', {
  id: 'qoe-linear',
  label: 'QoE linear',
  unit: 'Mbit/s per segment',
  headline: 5,
});

/** Doubling the bitrate is worth the same everywhere on the ladder. */
export const qoeLog = qoeMetric('log', { id: 'qoe-log', label: 'QoE log', unit: 'per segment' });

/** Favours HD. */
export const qoeHd = qoeMetric('hd', { id: 'qoe-hd', label: 'QoE HD', unit: 'per segment' });

const linear = pick(qoeModels, 'lin');

/** The last term of the QoE with q = bitrate. */
export const bitrateVariation: Metric = {
  id: 'bitrate-variation',
  label: 'bitrate variation',
  meaning: 'Σ |R_{n+1} − R_n| of the bitrates of successive rendered segments, per segment after the first',
  unit: 'kbit/s',
  better: 'lower',
  paper: '2020 letter eq. 1, third term with q = R, and its Fig. 3; 2024 racing paper §V-B',
  unknown: 'ladder or segment duration is unknown, or at most one segment was played',
  of(log) {
    const qoe = sessionQoe(log, linear);
    return qoe.ok ? { value: (1000 * qoe.value.variation) / qoe.value.segments } : unmeasured(qoe.error);
  },
};

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
    const playedMs = sum(playSpans(log).map((span) => watchedMs(log, span)));
    if (Math.abs(playedMs - wholeMs) > segmentMs / 2)
      return unmeasured('The session did not play the whole video; the optimum is for the whole video.');
    return { value: (100 * qoe.value.sum) / traceOptimum };
  },
};

const unreported = (reason: string | undefined): string =>
  reason === 'not-applicable'
    ? 'The optimum is for the chunk model, and this session was not played in it.'
    : 'The offline optimum of this trace was not computed.';

/** The QoE of a session without its first segment, with the terms it is made of. */
interface SessionQoe extends QoeTerms {
  readonly perSegment: number;
  /** Over all segments that count, in the unit of q. */
  readonly sum: number;
  readonly mu: number;
  /** What q and µ are, in a line for people. */
  readonly meaning: string;
}

/**
 * Σ q(R_n) − µ Σ T_n − Σ |q(R_{n+1}) − q(R_n)| (2020 letter, eq. 1) of a log. The first segment is left out, as in every
 * published score: it is nobody's choice, and its wait is the join time. The sums run over the watched media in units of the
 * segment that it belongs to, which is the same when each segment plays whole, and stays right when a switch falls inside one.
 */
function sessionQoe(log: SessionLog, model: QoeModel): Result<SessionQoe> {
  const ladder = videoLadder(log);
  if (!ladder) return failed('No ladder of video levels was read.');
  const { bitratesKbps, segmentMs } = ladder;
  if (segmentMs === null) return failed('The segment duration is not known.');
  const spans = renderedSpans(log);
  const segments = withoutFirstSegment(watchedSegments(log, spans, segmentMs));
  const count = sum(segments);
  if (count <= 0) return failed('At most one segment was played, and the first does not count.');
  const qualities = model.qualities(bitratesKbps);
  const qualityOf = ({ bitrateKbps }: RenderedSpan): number => qualities[bitratesKbps.indexOf(bitrateKbps)]!;
  const terms = {
    segments: count,
    quality: sum(spans.map((span, index) => qualityOf(span) * segments[index]!)),
    variation: sum(spans.slice(1).map((span, index) => Math.abs(qualityOf(span) - qualityOf(spans[index]!)))),
    rebufferS: sum(waitSpans(log).map(({ fromMs, toMs }) => toMs - fromMs)) / 1000,
  };
  const mu = model.mu(bitratesKbps);
  const perSegment = qoePerSegment(terms, mu)!;
  return ok({
    ...terms,
    perSegment,
    sum: perSegment * terms.segments,
    mu,
    meaning: model.meaning(bitratesKbps),
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
