import { qoePerSegment } from '../../shared/qoe.ts';
import { figureOf, known, unknown, type Figure, type KeyFigures } from './figure.ts';
import { ladderAt } from '../timeline/moment.ts';
import type { LadderSpan, SessionSeries } from '../timeline/series.ts';
import { VIDEO } from '../timeline/columns.ts';
import { movingSpans, renderedSpansOf, type RenderedStep } from '../timeline/spans.ts';

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
  const time = renderedTime(series, untilMs, segmentMs ?? 0);
  const qoeMu = muFigure(series, untilMs);
  const step = renderedSteps(series, untilMs).at(-1) ?? null;
  return {
    bitrateNowKbps: figureOf(step && step.bitrateKbps, NOT_RENDERED),
    bitrateMeanKbps: figureOf(time.knownMs > 0 ? (time.kbit * 1000) / time.knownMs : null, NOT_RENDERED),
    rungNow: figureOf(step && step.rung, NOT_RENDERED),
    rungCount: ladder ? ladder.rungs.length : 0,
    heightNow: step ? heightFigure(ladder, step.rung) : unknown(NOT_RENDERED),
    qoeMu,
    qoePerSegment: qoeFigure({ mu: qoeMu.value, segmentMs, rebufferMs }, time),
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

/** Of the first video ladder that says it; null before. */
const segmentMsOf = ({ ladders }: SessionSeries): number | null =>
  ladders.find(({ mediaType, segmentMs }) => mediaType === 'video' && segmentMs !== null && segmentMs > 0)
    ?.segmentMs ?? null;

/** The same as the metric `qoe-linear` of the log so far (`metrics/qoe.ts`): without the first segment, in rendered time. */
function qoeFigure(
  { mu, segmentMs, rebufferMs }: { mu: number | null; segmentMs: number | null; rebufferMs: number },
  time: RenderedTime,
): Figure {
  if (mu === null) return unknown(NO_LADDER);
  if (segmentMs === null) return unknown('The segment duration is not known.');
  const segments = (time.knownMs - time.first.knownMs) / segmentMs;
  if (segments <= 0) return unknown('At most one segment was played, and the first does not count.');
  const qoe = qoePerSegment(
    {
      segments,
      quality: (time.kbit - time.first.kbit) / segmentMs,
      variation: time.variationKbps / 1000,
      rebufferS: rebufferMs / 1000,
    },
    mu,
  );
  return figureOf(qoe, NOT_RENDERED);
}

/** What the eye saw: time on screen weighted by bitrate, and how much the bitrate changed between rungs. */
interface RenderedTime {
  readonly knownMs: number;
  /** ∫ bitrate dt, kbit (kbit/s × s). */
  readonly kbit: number;
  /** Σ |step|, kbit/s. */
  readonly variationKbps: number;
  readonly switches: number;
  /** The part of the first `firstMs` of moving picture, which QoE leaves out. */
  readonly first: { readonly knownMs: number; readonly kbit: number };
}

/** Integrates the rendered video rung over the time the picture moved, up to `untilMs`; `firstMs` is how long the beginning is. */
function renderedTime(series: SessionSeries, untilMs: number, firstMs = 0): RenderedTime {
  const steps = renderedSteps(series, untilMs);
  let knownMs = 0;
  let kbit = 0;
  let first = { knownMs: 0, kbit: 0 };
  for (const { fromMs, toMs, bitrateKbps } of renderedSpansOf(steps, movingSpans(series, untilMs))) {
    const ms = toMs - fromMs;
    const early = Math.min(ms, firstMs - first.knownMs);
    first = { knownMs: first.knownMs + early, kbit: first.kbit + (early * bitrateKbps) / 1000 };
    knownMs += ms;
    kbit += (ms * bitrateKbps) / 1000;
  }
  const changes = steps.slice(1).map(({ bitrateKbps }, index) => bitrateKbps - steps[index]!.bitrateKbps);
  return {
    knownMs,
    kbit,
    variationKbps: changes.reduce((sum, change) => sum + Math.abs(change), 0),
    switches: changes.filter((change) => change !== 0).length,
    first,
  };
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
