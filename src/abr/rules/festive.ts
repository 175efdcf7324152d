import { emptyWindow, harmonicMean, withRate, type RateWindow, rateOf } from '../estimators/harmonicMean.ts';
import { type Ladder, highestRungWithin } from '../ladder.ts';
import { mustBeCount, mustBePositive, tunableRule } from '../parameters.ts';
import type { Answer, MediaType, Moment } from '../rule.ts';
import { segmentMsOf } from '../segmentBytes.ts';
import { unmeasured } from '../answer.ts';
import { mbps, formatRung, seconds } from '../format.ts';

interface State {
  readonly mediaType: MediaType;
  readonly seed: number;
  readonly ladder: Ladder;
  readonly segmentMs: number;
  readonly window: RateWindow;
  readonly history: SwitchHistory;
}

/** The paper's: 20 samples, p = 0.85, α = 12, switches of the last 20 s, Δ = 1 segment. */
const PAPER = { samples: 20, safetyFactor: 0.85, alpha: 12, switchWindowMs: 20_000, spreadSegments: 1 };
type Settings = Readonly<typeof PAPER>;

/**
 * FESTIVE. With w = harmonic mean of the last 20 rates, R the bitrates, c the present rung, n switches in 20 s:
 *
 *     target      the highest rung with R ≤ p w
 *     reference   c + 1 if target > c and c + 1 segments came at c (level k lasts k segments); c − 1 if target < c
 *     score(b)    stability + α |R_b / min(w, R_reference) − 1|, stability 2^n for b = c, 2^(n+1) for the reference
 *     answer      the reference if its score is lower, else c; requested when the buffer is at a random level
 *
 * We know the paper by descriptions of it, which agree on this. What they leave open we decided: before 20 samples, the
 * mean of those there are (a public port waits for 20); on equal scores, stay; the random level lies below the player's
 * target (`bufferGoalMs`). Public bugs avoided: stability 2^n + 1, an exponent lost in print, which makes the
 * price of a switch 1 for ever where the paper wants it to rise with n; (stability + α) × efficiency; latency in ms
 * added to the rate; switches counted against the present rung instead of the one before.
 */
export const festive = tunableRule(PAPER, (settings) => {
  mustRun(settings);
  const empty = emptyWindow(settings.samples);
  return {
    id: 'festive',
    label: 'FESTIVE',
    paper: 'Jiang, Sekar, Zhang: FESTIVE, CoNEXT 2012, §4',
    start: ({ mediaType, seed, ladder, segmentMs }): State => ({
      mediaType,
      seed,
      ladder,
      segmentMs,
      window: empty,
      history: nothingPlayed,
    }),
    observe(state, event) {
      if (event.kind === 'ladder') {
        const { ladder, segmentMs } = event;
        return { ...state, ladder, segmentMs, history: onNewLadder(state.history) };
      }
      if (event.kind !== 'download' || event.mediaType !== state.mediaType || event.aborted) return state;
      const rateKbps = rateOf(event);
      const { mediaType, seed, ladder, segmentMs, window } = state;
      return {
        mediaType,
        seed,
        ladder,
        segmentMs,
        window: rateKbps === null ? window : withRate(window, rateKbps),
        history: withSegment(state.history, event.rung, event.startMs),
      };
    },
    decide(state, moment) {
      const estimateKbps = harmonicMean(state.window);
      if (estimateKbps === null) return unmeasured(state.ladder, moment);
      return scheduled(delayedUpdate(state, { moment, settings, estimateKbps }), { state, moment, settings });
    },
  };
});

function mustRun(settings: Settings): void {
  mustBeCount('festive', settings, 'samples');
  mustBePositive('festive', settings, ['safetyFactor']);
  const { alpha, switchWindowMs, spreadSegments } = settings;
  if (alpha < 0 || switchWindowMs < 0 || spreadSegments < 0)
    throw new Error('The parameters alpha, switchWindowMs and spreadSegments of festive must be 0 or above.');
}

/** Randomised scheduling: the same answer, held while the buffer is above the level drawn for this segment. */
function scheduled(
  answer: Answer,
  { state, moment, settings }: { state: State; moment: Moment; settings: Settings },
): Answer {
  const holdUntilBufferMs = bufferGoalMs({
    targetMs: moment.bufferTargetMs,
    segmentMs: segmentMsOf(state),
    spread: settings.spreadSegments,
    seed: state.seed,
    count: state.history.downloads,
  });
  return moment.bufferMs > holdUntilBufferMs ? { ...answer, holdUntilBufferMs } : answer;
}

/**
 * FESTIVE's randomised scheduling: the buffer level at which the next request may be made, drawn anew for each segment.
 * The paper draws from (target − Δ, target + Δ], Δ one segment, so that players that share a link fall out of step. Our
 * player never lets its buffer above the target, which would cut the upper half off, so we draw from (target − 2Δ,
 * target] instead; and never less than one segment, so that a short live buffer is not drained by waiting.
 */
function bufferGoalMs(target: {
  readonly targetMs: number;
  readonly segmentMs: number;
  /** Δ in segments; 0 draws nothing. */
  readonly spread: number;
  readonly seed: number;
  /** Which draw of the session it is. */
  readonly count: number;
}): number {
  const { targetMs, segmentMs, spread, seed, count } = target;
  const goalMs = targetMs - 2 * spread * segmentMs * hashToUnit(seed, count);
  return Math.round(Math.max(goalMs, segmentMs));
}

interface Played {
  readonly ladder: Ladder;
  readonly history: SwitchHistory;
}

interface Basis {
  readonly moment: Moment;
  readonly settings: {
    readonly safetyFactor: number;
    readonly alpha: number;
    readonly switchWindowMs: number;
  };
  readonly estimateKbps: number;
}

/**
 * FESTIVE's stateful selection of a reference rung, one step from the present one, and its delayed update: the step is
 * taken when what it gains in efficiency is worth the switch.
 */
function delayedUpdate({ ladder, history }: Played, { moment, settings, estimateKbps }: Basis): Answer {
  const now = Math.min(moment.lastRung ?? history.rung ?? 0, ladder.length - 1);
  const run = history.rung === now ? history.run : 0;
  const target = highestRungWithin(ladder, settings.safetyFactor * estimateKbps);
  const reference = target > now ? now + (run > now ? 1 : 0) : target < now ? now - 1 : now;
  const switches = switchesSince(history, moment.nowMs - settings.switchWindowMs);
  const best = Math.min(estimateKbps, ladder[reference]!.bitrateKbps);
  const wasteOf = (rung: number): number => settings.alpha * Math.abs(ladder[rung]!.bitrateKbps / best - 1);
  const scoreNow = 2 ** switches + wasteOf(now);
  const scoreReference = 2 ** (switches + 1) + wasteOf(reference);
  const rung = scoreReference < scoreNow ? reference : now;
  return {
    rung,
    because: () =>
      `The harmonic mean of ${mbps(estimateKbps)} aims at ${formatRung(ladder, target)}; ${formatStep(now, reference, rung)} after ${switches} switch${switches === 1 ? '' : 'es'} in ${seconds(settings.switchWindowMs)}: ${formatRung(ladder, rung)}.`,
    values: { estimateKbps, targetRung: target, switches, scoreNow, scoreReference, run },
  };
}

function formatStep(now: number, reference: number, rung: number): string {
  if (reference === now) return 'no step yet';
  const way = reference > now ? 'up' : 'down';
  return rung === reference ? `one step ${way}` : `a step ${way} is not worth a switch`;
}

/** How a session has switched so far, in a bounded form. */
interface SwitchHistory {
  /** The rung last downloaded; null before the first download and after a change of the ladder. */
  readonly rung: number | null;
  /** How many segments in a row came at it. */
  readonly run: number;
  /** Downloads in all. */
  readonly downloads: number;
  /** When the latest switches were requested, oldest first, at most `MAX_SWITCHES`. */
  readonly switchesMs: readonly number[];
}

/** More switches than this make no difference: 2^16 outweighs every efficiency that a ladder can gain. */
const MAX_SWITCHES = 16;

const nothingPlayed: SwitchHistory = { rung: null, run: 0, downloads: 0, switchesMs: [] };

/** With one more segment of `rung`, requested at `startMs`. */
function withSegment(history: SwitchHistory, rung: number, startMs: number): SwitchHistory {
  const stays = rung === history.rung;
  const switched = !stays && history.rung !== null;
  return {
    rung,
    run: stays ? history.run + 1 : 1,
    downloads: history.downloads + 1,
    switchesMs: switched ? [...history.switchesMs, startMs].slice(-MAX_SWITCHES) : history.switchesMs,
  };
}

/** A new ladder: its rungs have other numbers, so nothing has come at any of them yet. */
const onNewLadder = (history: SwitchHistory): SwitchHistory => ({ ...history, rung: null, run: 0 });

function switchesSince(history: SwitchHistory, sinceMs: number): number {
  let switches = 0;
  for (const atMs of history.switchesMs) if (atMs >= sinceMs) switches += 1;
  return switches;
}

/**
 * A number in [0, 1) that looks random and is the same each time for a seed and a count: how a rule that its paper wants
 * randomised stays a pure fold. The mixing is the 32-bit finaliser of MurmurHash3 (Appleby, public domain), once for
 * each argument, so that neighbouring seeds and counts are unrelated.
 */
export const hashToUnit = (seed: number, count: number): number => mixed(mixed(seed) ^ count) / 2 ** 32;

function mixed(word: number): number {
  // The odd constant (2³² / golden ratio) keeps 0 from being its own hash.
  let h = (word + 0x9e3779b9) | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}
