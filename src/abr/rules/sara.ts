import { nothingMeasured, totalRateKbps, withDownload, type TotalRate } from '../estimators/totalRate.ts';
import type { Answer, MediaType, Moment } from '../rule.ts';
import { segmentBytes, sizeNote, type SegmentSizes } from '../segmentBytes.ts';
import { tunableRule } from '../parameters.ts';
import { transferMs } from '../../shared/units.ts';
import { formatRung, seconds } from '../format.ts';

interface State {
  readonly mediaType: MediaType;
  readonly sizes: SegmentSizes;
  readonly total: TotalRate;
}

/** AStream's 2, 5 and 10 segments, of 4 s each: I, B_α and B_β of the paper. */
const ASTREAM = { initialMs: 8000, alphaMs: 20_000, betaMs: 40_000 };
type Thresholds = Readonly<typeof ASTREAM>;

/**
 * SARA: picks by the *size* of the next segment. With H = total bytes / total time of all history, d_q = (size of the
 * next segment at rung q) / H, B the buffer and c the present rung:
 *
 *     B ≤ I or H unknown   fast start           the lowest
 *     d_c > B − I          falling back         the highest q < c with d_q < B − I, else the lowest
 *     B ≤ B_α              additive increase    c + 1 if d_(c+1) < B − I, else c
 *     B ≤ B_β              aggressive switching the highest q ≥ c with d_q < B − I
 *     B > B_β              delayed download     the highest q ≥ c with d_q < B − B_α, requested when B is down to B_β
 *
 * Two public bugs avoided. AStream's delayed download takes the first rung from the top whose download lasts *longer*
 * than the buffer has, so it picks the top rung for the wrong reason. And who forgets the "− I" lets a download use up
 * the whole buffer. AStream also holds B_α and B_β against B − I, not B: 0.763 instead of 0.761 on the HSDPA test set.
 * A player asks again after the hold, and aggressive switching then decides, at B = B_β.
 */
export const sara = tunableRule(ASTREAM, (thresholds) => {
  const { initialMs, alphaMs, betaMs } = thresholds;
  if (!(initialMs >= 0 && initialMs <= alphaMs && alphaMs <= betaMs))
    throw new Error(
      `sara needs 0 ≤ initialMs ≤ alphaMs ≤ betaMs, not ${initialMs}, ${alphaMs} and ${betaMs}.`,
    );
  return {
    id: 'sara',
    label: 'SARA',
    paper: 'Juluri, Tamarapalli, Medhi: SARA, IEEE ICC Workshops 2015; constants of AStream',
    start: ({ mediaType, ladder, segmentMs, sizeBytes }): State => ({
      mediaType,
      sizes: { ladder, segmentMs, sizeBytes },
      total: nothingMeasured,
    }),
    observe(state, event) {
      if (event.kind === 'ladder')
        return { ...state, sizes: { ...state.sizes, ladder: event.ladder, segmentMs: event.segmentMs } };
      if (event.kind !== 'download' || event.mediaType !== state.mediaType) return state;
      const total = withDownload(state.total, event);
      return { mediaType: state.mediaType, sizes: state.sizes, total };
    },
    decide: (state, moment) => answer(choice(state, moment, thresholds), state, moment, thresholds),
  };
});

type Phase =
  'fast start' | 'falling back' | 'additive increase' | 'aggressive switching' | 'delayed download';

interface Choice {
  readonly rung: number;
  readonly phase: Phase;
  readonly rateKbps: number | null;
}

function choice(state: State, moment: Moment, by: Thresholds): Choice {
  const { bufferMs, segment } = moment;
  const { ladder } = state.sizes;
  const rateKbps = totalRateKbps(state.total);
  if (rateKbps === null || bufferMs <= by.initialMs) return { rung: 0, phase: 'fast start', rateKbps };
  const spareMs = bufferMs - by.initialMs;
  const now = Math.min(moment.lastRung ?? 0, ladder.length - 1);
  const takesMs = (rung: number): number => transferMs(segmentBytes(state.sizes, segment, rung), rateKbps);
  /** The highest rung from `floor` to `top` whose download lasts less than `limitMs`, else `floor`. */
  const highest = (floor: number, top: number, limitMs: number): number => {
    let rung = top;
    while (rung > floor && takesMs(rung) >= limitMs) rung -= 1;
    return rung;
  };
  if (takesMs(now) > spareMs)
    return { rung: highest(0, Math.max(now - 1, 0), spareMs), phase: 'falling back', rateKbps };
  const top = ladder.length - 1;
  if (bufferMs <= by.alphaMs)
    return { rung: highest(now, Math.min(now + 1, top), spareMs), phase: 'additive increase', rateKbps };
  if (bufferMs <= by.betaMs)
    return { rung: highest(now, top, spareMs), phase: 'aggressive switching', rateKbps };
  return { rung: highest(now, top, bufferMs - by.alphaMs), phase: 'delayed download', rateKbps };
}

function answer(
  { rung, phase, rateKbps }: Choice,
  state: State,
  moment: Moment,
  thresholds: Thresholds,
): Answer {
  const { sizes } = state;
  const takesMs = rateKbps === null ? null : transferMs(segmentBytes(sizes, moment.segment, rung), rateKbps);
  const because = (): string => {
    const duration = takesMs === null ? 'at an unknown rate' : `would take ${seconds(takesMs)} to download`;
    const hold =
      phase === 'delayed download' ? `, requested when ${seconds(thresholds.betaMs)} are left` : '';
    const note = sizeNote(sizes, moment.segment);
    return `SARA is in ${phase} with ${seconds(moment.bufferMs)} of buffer: ${formatRung(sizes.ladder, rung)} ${duration}${hold}${note}.`;
  };
  const values = { estimateKbps: rateKbps, bufferMs: moment.bufferMs, takesMs };
  if (phase !== 'delayed download') return { rung, because, values };
  return { rung, because, values, holdUntilBufferMs: thresholds.betaMs };
}
