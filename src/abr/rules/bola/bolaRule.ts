import { rateOf } from '../../estimators/harmonicMean.ts';
import { highestRungWithin } from '../../ladder.ts';
import { mustBePositive, tunableRule } from '../../parameters.ts';
import type { Answer, MediaType, Moment, Rule, RuleContext, RuleEvent } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import { formatRung, seconds } from '../../format.ts';
import { bestRung, utilitiesOf, zeroMs, type Utilities, type Weights } from './scores.ts';

/** Sabre's γp, and the cap of the chunk model as Q_max. */
const PAPER = { gp: 5, bufferMaxMs: 60_000 };

export const BOLA_PAPER = 'Spiteri, Urgaonkar, Sitaraman: BOLA, INFOCOM 2016 (arXiv 1601.06748)';

/** What the members of the family do differently. */
export interface BolaMember {
  readonly id: string;
  readonly label: string;
  readonly paper: string;
  /** The buffer that counts grows from the start and shrinks towards the end (BOLA-FINITE). */
  readonly finite: boolean;
  /** Where a rise above what the last download carried stops: not at all, at that rung (O), or one above it (U). */
  readonly rise: 'free' | 'sustained' | 'one-above';
}

export interface BolaState {
  readonly mediaType: MediaType;
  readonly segmentMs: number;
  readonly known: Utilities;
  /** Segments loaded since the start or the last seek. */
  readonly loaded: number;
  /** Of the last download; null before the first. */
  readonly rateKbps: number | null;
}

/** A member of the BOLA family whose state is a ladder, a count and a rate. */
export const bolaRule = (member: BolaMember): Rule<BolaState> =>
  tunableRule(PAPER, (parameters) => {
    mustBePositive(member.id, parameters, ['gp', 'bufferMaxMs']);
    return {
      id: member.id,
      label: member.label,
      paper: member.paper,
      start: startOf,
      observe: observed,
      decide: (state, moment) => decided(state, moment, { member, ...parameters }),
    };
  });

const startOf = ({ mediaType, ladder, segmentMs }: RuleContext): BolaState => ({
  mediaType,
  segmentMs: segmentMsOf({ segmentMs }),
  known: utilitiesOf(ladder, 0),
  loaded: 0,
  rateKbps: null,
});

function observed(state: BolaState, event: RuleEvent): BolaState {
  if (event.kind === 'ladder')
    return { ...state, segmentMs: segmentMsOf(event), known: utilitiesOf(event.ladder, 0) };
  if (event.kind === 'seek') return { ...state, loaded: 0 };
  if (event.kind !== 'download' || event.aborted || event.mediaType !== state.mediaType) return state;
  const { mediaType, segmentMs, known, loaded } = state;
  return { mediaType, segmentMs, known, loaded: loaded + 1, rateKbps: rateOf(event) ?? state.rateKbps };
}

interface Setting {
  readonly member: BolaMember;
  readonly gp: number;
  readonly bufferMaxMs: number;
}

/**
 * Waiting buys quality later; where there is one rung there is none to be bought, and the player keeps its own target. That
 * matters for sound beside video, whose target is the level of the video at this moment: to wait until a segment fits
 * below it would starve it behind long video bodies on one connection.
 */
function decided(state: BolaState, moment: Moment, setting: Setting): Answer {
  const { known } = state;
  const { bufferMs, lastRung } = moment;
  const weights = weightsOf(state, moment, setting);
  const best = bestRung(known, weights, bufferMs);
  const rung = steadied(best, { state, lastRung, rise: setting.member.rise });
  const waitMs = zeroMs(known, weights, rung);
  const because = (): string =>
    formatReason(state, moment, { best, rung, waitMs: known.ladder.length > 1 ? waitMs : Infinity });
  const values = { vpMs: weights.vpMs, zeroMs: waitMs, lastRateKbps: state.rateKbps };
  return bufferMs > waitMs && known.ladder.length > 1
    ? { rung, because, values, holdUntilBufferMs: waitMs }
    : { rung, because, values };
}

/** V_p = (B_max − L) / (v_top + γp): then the top rung's score is 0 where one more segment would overfill the buffer. */
function weightsOf(state: BolaState, moment: Moment, { member, gp, bufferMaxMs }: Setting): Weights {
  const { segmentMs, known } = state;
  const { bufferTargetMs } = moment;
  const keptMs = bufferTargetMs > 0 ? Math.min(bufferMaxMs, bufferTargetMs) : bufferMaxMs;
  const usableMs = member.finite ? Math.min(keptMs, finiteMs(state, moment)) : keptMs;
  // A player that keeps less than two segments must still have a slope to decide on.
  const spaceMs = Math.max(usableMs - segmentMs, usableMs / 2);
  return { vpMs: spaceMs / (known.utilities.at(-1)! + gp), gp };
}

/** t' = max(t / 2, 3 L), where t is what has been loaded, or what is left if that is less (§4.2). */
function finiteMs({ loaded, segmentMs }: BolaState, { segmentsLeft }: Moment): number {
  return Math.max((Math.min(loaded, segmentsLeft ?? Infinity) * segmentMs) / 2, 3 * segmentMs);
}

interface Rise {
  readonly state: BolaState;
  readonly lastRung: number | null;
  readonly rise: BolaMember['rise'];
}

/** The oscillation control of BOLA-O and BOLA-U (§4.3): only a rise that the last download would not carry is cut. */
function steadied(best: number, { state, lastRung, rise }: Rise): number {
  const { rateKbps, known } = state;
  const last = Math.min(lastRung ?? 0, known.ladder.length - 1);
  if (rise === 'free' || rateKbps === null || best <= last) return best;
  const sustained = highestRungWithin(known.ladder, rateKbps);
  if (sustained >= best) return best;
  if (sustained < last) return last;
  return rise === 'sustained' ? sustained : sustained + 1;
}

function formatReason(
  { known: { ladder } }: BolaState,
  { bufferMs }: Moment,
  { best, rung, waitMs }: { best: number; rung: number; waitMs: number },
): string {
  const chosen =
    best === rung
      ? `${formatRung(ladder, rung)} has the highest score`
      : `${formatRung(ladder, best)} has the highest score, but the last download did not carry it, so ${formatRung(ladder, rung)}`;
  const wait = bufferMs > waitMs ? `, requested when ${seconds(waitMs)} are left` : '';
  return `With ${seconds(bufferMs)} of buffer ${chosen}${wait}.`;
}
