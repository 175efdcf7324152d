import { rateOf } from '../../estimators/harmonicMean.ts';
import { highestRungWithin, type Ladder } from '../../ladder.ts';
import { mustBePositive, tunableRule } from '../../parameters.ts';
import type { Answer, MediaType, Moment, Rule, RuleContext, RuleEvent } from '../../rule.ts';
import { segmentMsOf } from '../../segmentBytes.ts';
import { formatRung, seconds } from '../../format.ts';

/** Sabre's γp, and the cap of the chunk model as Q_max. */
const PAPER = { gp: 5, bufferMaxMs: 60_000 };

const BOLA_PAPER = 'Spiteri, Urgaonkar, Sitaraman: BOLA, INFOCOM 2016 (arXiv 1601.06748)';

/**
 * BOLA-BASIC: the rung with the highest (V_p (v_q + γp) − B) / R_q, where v_q = ln(R_q / R_0), B is the buffer and
 * V_p = (B_max − L) / (v_top + γp) for segments of length L (arXiv 1601.06748, §4.1; Sabre by the same author has the
 * same form in seconds). If no score is above 0, the request waits until the buffer is down to V_p (v_q + γp).
 *
 * `gp` = γp = 5 is Sabre's; Sabre's buffer is 25 s, ours the 60 s of the chunk model (`bufferMaxMs=25000` is Sabre's),
 * or what the player keeps if that is less. On HSDPA 142: 0.762 with 60 s, 0.633 with 25 s.
 *
 * It knows bitrates only, never sizes. Not to be confused with dash.js' BolaRule, a BOLA-E whose parameters come from
 * `bufferTimeDefault`: at 60 s that one never picks the lowest of six rungs (see `bola-e`).
 */
export const bola = bolaRule({
  id: 'bola',
  label: 'BOLA',
  paper: `${BOLA_PAPER}, BOLA-BASIC`,
  finite: false,
  rise: 'free',
});

/**
 * BOLA-FINITE: BOLA with a buffer that counts less near the start and the end of a video: B_D = min(B_max, t'), where
 * t' = max(t / 2, 3 L) and t is the time from the beginning or to the end, whichever is less (arXiv 1601.06748, §4.2,
 * Algorithm 1). Of a live stream only the beginning is known. "Beginning" is where the viewer began or jumped to: after
 * a seek the buffer is as empty as at the start.
 *
 * The abandoning of Algorithm 1 is left out: a rule here chooses before each request and never during one.
 */
export const bolaFinite = bolaRule({
  id: 'bola-finite',
  label: 'BOLA-FINITE',
  paper: `${BOLA_PAPER}, BOLA-FINITE`,
  finite: true,
  rise: 'free',
});

/**
 * BOLA-O: BOLA-FINITE that does not rise above what the last download carried, to oscillate less (arXiv 1601.06748,
 * Algorithm 1). Let q* be the choice, higher than the rung before, and q' the highest rung within the last measured
 * rate. q' ≥ q*: q*. q' below the rung before: that one again. Else q', and the request waits until the buffer is down
 * to V_p (v_q' + γp), so that low rungs do not overfill it.
 */
export const bolaO = bolaRule({
  id: 'bola-o',
  label: 'BOLA-O',
  paper: `${BOLA_PAPER}, BOLA-O`,
  finite: true,
  rise: 'sustained',
});

/**
 * BOLA-U: as BOLA-O, but where that stops at the rung which the last download carried, this goes one higher: more
 * utility, some more switches (arXiv 1601.06748, Algorithm 1).
 */
export const bolaU = bolaRule({
  id: 'bola-u',
  label: 'BOLA-U',
  paper: `${BOLA_PAPER}, BOLA-U`,
  finite: true,
  rise: 'one-above',
});

/** What the members of the family do differently. */
interface BolaMember {
  readonly id: string;
  readonly label: string;
  readonly paper: string;
  /** The buffer that counts grows from the start and shrinks towards the end (BOLA-FINITE). */
  readonly finite: boolean;
  /** Where a rise above what the last download carried stops: not at all, at that rung (O), or one above it (U). */
  readonly rise: 'free' | 'sustained' | 'one-above';
}

interface BolaState {
  readonly mediaType: MediaType;
  readonly segmentMs: number;
  readonly known: Utilities;
  /** Segments loaded since the start or the last seek. */
  readonly loaded: number;
  /** Rate of the last download, in kbit/s; null before the first. */
  readonly rateKbps: number | null;
}

/** A member of the BOLA family whose state is a ladder, a count and a rate. */
function bolaRule(member: BolaMember): Rule<BolaState> {
  return tunableRule(PAPER, (parameters) => {
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
}

function startOf({ mediaType, ladder, segmentMs }: RuleContext): BolaState {
  return {
    mediaType,
    segmentMs: segmentMsOf({ segmentMs }),
    known: utilitiesOf(ladder, 0),
    loaded: 0,
    rateKbps: null,
  };
}

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
  const rung = steadied(best, state, lastRung, setting.member.rise);
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

/** The oscillation control of BOLA-O and BOLA-U (§4.3): only a rise that the last download would not carry is cut. */
function steadied(best: number, state: BolaState, lastRung: number | null, rise: BolaMember['rise']): number {
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

/** What BOLA's score is made of; fixed for a ladder. */
export interface Utilities {
  readonly ladder: Ladder;
  /** Utility of each rung: ln(R_q / R_0) in BOLA, one more in BOLA-E. Bitrates stand for sizes: their ratios are the same. */
  readonly utilities: readonly number[];
}

export const utilitiesOf = (ladder: Ladder, ofLowest: number): Utilities => ({
  ladder,
  utilities: ladder.map(({ bitrateKbps }) => Math.log(bitrateKbps / ladder[0]!.bitrateKbps) + ofLowest),
});

/** How much buffer a unit of utility is worth (V_p, ms), and how much utility it is to play at all (γp). */
export interface Weights {
  readonly vpMs: number;
  readonly gp: number;
}

/** Where the score of a rung is 0, ms of buffer: above it, waiting is better than loading this rung. */
export const zeroMs = ({ utilities }: Utilities, { vpMs, gp }: Weights, rung: number): number =>
  vpMs * (utilities[rung]! + gp);

/**
 * The rung with the highest score (V_p (v_q + γp) − B) / R_q (Spiteri et al. 2016, eq. 8, in ms of buffer instead of
 * segments). Of equal scores the higher rung.
 */
export function bestRung(known: Utilities, weights: Weights, bufferMs: number): number {
  const { ladder } = known;
  let best = 0;
  let bestScore = -Infinity;
  for (let rung = 0; rung < ladder.length; rung += 1) {
    const score = (zeroMs(known, weights, rung) - bufferMs) / ladder[rung]!.bitrateKbps;
    if (score >= bestScore) {
      best = rung;
      bestScore = score;
    }
  }
  return best;
}
