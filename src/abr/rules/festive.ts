import { emptyWindow, harmonicMean, withRate, type RateWindow, rateOf } from '../estimators/harmonicMean.ts';
import type { Ladder } from '../ladder.ts';
import { mustBeCount, mustBePositive, tunableRule } from '../parameters.ts';
import type { Answer, MediaType, Moment } from '../rule.ts';
import { segmentMsOf } from '../segmentBytes.ts';
import { unmeasured } from '../answer.ts';
import { bufferGoalMs } from './festive/bufferGoalMs.ts';
import { delayedUpdate } from './festive/delayedUpdate.ts';
import { nothingPlayed, onNewLadder, withSegment, type SwitchHistory } from './festive/switchHistory.ts';

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
 * target (`festive/bufferGoalMs.ts`). Public bugs avoided: stability 2^n + 1, an exponent lost in print, which makes the
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
