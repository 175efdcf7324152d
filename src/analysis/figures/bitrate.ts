import { qoePerSegment, withoutFirstSegment } from '../../shared/qoe.ts';
import { figureOf, known, unknown, type Figure, type KeyFigures } from './figure.ts';
import { ladderAt } from '../timeline/moment.ts';
import type { LadderSpan, SessionSeries } from '../timeline/series.ts';
import { VIDEO } from '../timeline/columns.ts';
import { medianLengthMs } from '../timeline/mediaSegments.ts';
import { movingSpans, renderedSpansOf, type RenderedSpan, type RenderedStep } from '../timeline/spans.ts';
import { segmentsWatched } from '../timeline/watched.ts';

type BitrateFigures = Pick<
  KeyFigures,
  'bitrateNowKbps' | 'bitrateMeanKbps' | 'rungNow' | 'rungCount' | 'heightNow' | 'qoePerSegment' | 'qoeMu'
>;

const NO_LADDER = 'No ladder of video levels has been read yet.';
const NOT_RENDERED = 'No video has been rendered yet.';

/** Rendered bitrate and the QoE that follows from it. */
export function bitrateFigures(
  series: SessionSeries,
  untilMs: number,
  { rebufferMs }: { readonly rebufferMs: number },
): BitrateFigures {
  const ladder = ladderAt(series, 'video', untilMs);
  const segmentMs = segmentMsOf(series);
  const time = renderedTime(series, untilMs);
  const qoeMu = muFigure(series, untilMs);
  const step = renderedSteps(series, untilMs).at(-1) ?? null;
  return {
    bitrateNowKbps: figureOf(step && step.bitrateKbps, NOT_RENDERED),
    bitrateMeanKbps: figureOf(time.knownMs > 0 ? (time.kbit * 1000) / time.knownMs : null, NOT_RENDERED),
    rungNow: figureOf(step && step.rung, NOT_RENDERED),
    rungCount: ladder ? ladder.rungs.length : 0,
    heightNow: step ? heightFigure(ladder, step.rung) : unknown(NOT_RENDERED),
    qoeMu,
    qoePerSegment: qoeFigure({ mu: qoeMu.value, segmentMs, rebufferMs }, series, time),
  };
}

const heightFigure = (ladder: LadderSpan | null, rung: number): Figure =>
  figureOf(ladder?.rungs[rung]?.height ?? null, 'The manifest states no height for this level.');

/** The top rung of all video ladders that were read till then, as `videoLadder` has it for a whole log. */
function muFigure({ ladders }: SessionSeries, untilMs: number): Figure {
  const read = ladders.filter(({ mediaType, fromMs }) => mediaType === 'video' && fromMs <= untilMs);
  const tops = read.map(({ rungs }) => rungs.at(-1)!.bitrateKbps);
  return tops.length > 0 ? known(Math.max(...tops) / 1000) : unknown(NO_LADDER);
}

/** Length of a segment where no request says it, as `videoLadder` has it for a whole log; null before it is known. */
const segmentMsOf = ({ ladders, mediaSegments }: SessionSeries): number | null =>
  ladders.find(({ mediaType, segmentMs }) => mediaType === 'video' && segmentMs !== null && segmentMs > 0)
    ?.segmentMs ?? medianLengthMs(mediaSegments);

/** The metric `qoe-linear` of the log so far (`metrics/qoe.ts`): without the first segment, in watched media. */
function qoeFigure(
  { mu, segmentMs, rebufferMs }: { mu: number | null; segmentMs: number | null; rebufferMs: number },
  series: SessionSeries,
  { spans, variationKbps }: RenderedTime,
): Figure {
  if (mu === null) return unknown(NO_LADDER);
  if (segmentMs === null) return unknown('The segment duration is not known.');
  const segments = withoutFirstSegment(segmentsWatched(series, spans, segmentMs));
  let [count, quality] = [0, 0];
  spans.forEach(({ bitrateKbps }, index) => {
    count += segments[index]!;
    quality += (segments[index]! * bitrateKbps) / 1000;
  });
  if (count <= 0) return unknown('At most one segment was played, and the first does not count.');
  const terms = {
    segments: count,
    quality,
    variation: variationKbps / 1000,
    rebufferS: rebufferMs / 1000,
  };
  return figureOf(qoePerSegment(terms, mu), NOT_RENDERED);
}

/** What was on screen while the picture moved, and how much the bitrate changed between levels. */
interface RenderedTime {
  readonly spans: readonly RenderedSpan[];
  readonly knownMs: number;
  /** ∫ bitrate dt, kbit (kbit/s × s). */
  readonly kbit: number;
  /** Σ |step|, kbit/s. */
  readonly variationKbps: number;
}

/** Integrates the rendered video rung over the time in which the picture moved, up to `untilMs`. */
function renderedTime(series: SessionSeries, untilMs: number): RenderedTime {
  const spans = renderedSpansOf(renderedSteps(series, untilMs), movingSpans(series, untilMs));
  let [knownMs, kbit, variationKbps] = [0, 0, 0];
  let before: RenderedSpan | null = null;
  for (const span of spans) {
    knownMs += span.toMs - span.fromMs;
    kbit += ((span.toMs - span.fromMs) * span.bitrateKbps) / 1000;
    variationKbps += before === null ? 0 : Math.abs(span.bitrateKbps - before.bitrateKbps);
    before = span;
  }
  return { spans, knownMs, kbit, variationKbps };
}

/** Rendered video rungs in time order; a step lasts until the next one. */
function renderedSteps({ switches }: SessionSeries, untilMs: number): RenderedStep[] {
  const { atMs, bitrateKbps, rung, lane, rendered } = switches.columns;
  const steps: RenderedStep[] = [];
  for (let row = 0; row < switches.length && atMs[row]! <= untilMs; row += 1)
    if (rendered[row] === 1 && lane[row] === VIDEO)
      steps.push({ atMs: atMs[row]!, bitrateKbps: bitrateKbps[row]!, rung: rung[row]! });
  return steps;
}
