import { qoePerSegment } from '../../qoe.ts';
import { figureOf, known, unknown, type Figure } from '../figure.ts';
import type { KeyFigures } from '../figures.ts';
import { ladderAt } from '../ladderAt.ts';
import { renderedSteps, renderedTime, type RenderedTime } from '../renderedTime.ts';
import type { LadderSpan, SessionSeries } from '../series.ts';
import type { PlaybackFigures } from './playback.ts';

export type BitrateFigures = Pick<
  KeyFigures,
  'bitrateNowKbps' | 'bitrateMeanKbps' | 'rungNow' | 'rungCount' | 'heightNow' | 'qoePerSegment' | 'qoeMu'
>;

const NO_LADDER = 'No ladder of video rungs has been read yet.';
const NOT_RENDERED = 'No video has been rendered yet.';

/** Rendered bitrate and the QoE that follows from it. */
export function bitrateFigures(
  series: SessionSeries,
  untilMs: number,
  { rebufferMs }: PlaybackFigures,
): BitrateFigures {
  const ladder = ladderAt(series, 'video', untilMs);
  const time = renderedTime(series, untilMs);
  const step = renderedSteps(series, untilMs).at(-1) ?? null;
  return {
    bitrateNowKbps: figureOf(step && step.bitrateKbps, NOT_RENDERED),
    bitrateMeanKbps: figureOf(time.knownMs > 0 ? (time.kbit * 1000) / time.knownMs : null, NOT_RENDERED),
    rungNow: figureOf(step && step.rung, NOT_RENDERED),
    rungCount: ladder ? ladder.rungs.length : 0,
    heightNow: step ? heightFigure(ladder, step.rung) : unknown(NOT_RENDERED),
    qoeMu: muFigure(ladder),
    qoePerSegment: qoeFigure(ladder, time, rebufferMs),
  };
}

const heightFigure = (ladder: LadderSpan | null, rung: number): Figure =>
  figureOf(ladder?.rungs[rung]?.height ?? null, 'The manifest states no height for this rung.');

const muFigure = (ladder: LadderSpan | null): Figure =>
  ladder ? known(ladder.rungs.at(-1)!.bitrateKbps / 1000) : unknown(NO_LADDER);

/**
 * The sums of the paper run over segments; here they run over rendered time in units of the segment duration,
 * which is the same when each segment plays whole, and stays right when a switch falls inside one.
 */
function qoeFigure(ladder: LadderSpan | null, time: RenderedTime, rebufferMs: number): Figure {
  const mu = muFigure(ladder).value;
  if (!ladder || mu === null) return unknown(NO_LADDER);
  if (ladder.segmentMs === null || ladder.segmentMs <= 0)
    return unknown('The segment duration is not known.');
  const qoe = qoePerSegment(
    {
      segments: time.knownMs / ladder.segmentMs,
      quality: time.kbit / ladder.segmentMs,
      variation: time.variationKbps / 1000,
      rebufferS: rebufferMs / 1000,
    },
    mu,
  );
  return figureOf(qoe, NOT_RENDERED);
}
