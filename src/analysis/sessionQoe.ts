import { qoePerSegment, type QoeModel, type QoeTerms } from '../shared/qoe.ts';
import { failed, ok, type Result } from '../shared/result.ts';
import type { SessionLog } from '../telemetry/schema/sessionLog.ts';
import { renderedSpans, type RenderedSpan } from './renderedSpans.ts';
import { stallSpans } from './stallSpans.ts';
import { videoLadder } from './videoLadder.ts';

/** The QoE of a session without its first segment, with the terms it is made of. */
export interface SessionQoe extends QoeTerms {
  readonly perSegment: number;
  /** Over all segments that count, in the unit of q. */
  readonly sum: number;
  readonly mu: number;
  /** What q and µ are, in a line for people. */
  readonly meaning: string;
}

/**
 * Σ q(R_n) − µ Σ T_n − Σ |q(R_{n+1}) − q(R_n)| (2020 letter, eq. 1) of a log. The first segment is left out, as in every
 * published score: it is nobody's choice, and its wait is the join time. The sums run over rendered time in units of the
 * segment duration, which is the same when each segment plays whole, and stays right when a switch falls inside one.
 */
export function sessionQoe(log: SessionLog, model: QoeModel): Result<SessionQoe> {
  const ladder = videoLadder(log);
  if (!ladder) return failed('No ladder of video rungs was read.');
  const { bitratesKbps, segmentMs } = ladder;
  if (segmentMs === null) return failed('The segment duration is not known.');
  const spans = renderedSpans(log);
  const played = withoutFirst(spans, segmentMs);
  if (played.length === 0) return failed('At most one segment was played, and the first does not count.');
  const qualities = model.qualities(bitratesKbps);
  const qualityOf = ({ bitrateKbps }: RenderedSpan): number => qualities[bitratesKbps.indexOf(bitrateKbps)]!;
  const segmentsOf = ({ fromMs, toMs }: RenderedSpan): number => (toMs - fromMs) / segmentMs;
  const terms = {
    segments: sum(played.map(segmentsOf)),
    quality: sum(played.map((span) => qualityOf(span) * segmentsOf(span))),
    variation: sum(spans.slice(1).map((span, index) => Math.abs(qualityOf(span) - qualityOf(spans[index]!)))),
    rebufferS: sum(stallSpans(log).map(({ fromMs, toMs }) => toMs - fromMs)) / 1000,
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

/** What is left of the played time after its first segment. */
function withoutFirst(spans: readonly RenderedSpan[], segmentMs: number): RenderedSpan[] {
  let leftMs = segmentMs;
  return spans.flatMap((span) => {
    const cutMs = Math.min(leftMs, span.toMs - span.fromMs);
    leftMs -= cutMs;
    // A rounding error of the clock is no part of a segment.
    return span.toMs - span.fromMs - cutMs > 1e-6 ? [{ ...span, fromMs: span.fromMs + cutMs }] : [];
  });
}

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);
