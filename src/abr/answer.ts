import { failed, ok, type Result } from '../shared/result.ts';
import type { Answer, LiveMoment, Moment } from './rule.ts';
import type { Ladder } from './ladder.ts';

/** An answer that can be acted on and recorded: a rung of the ladder, a sentence, finite numbers. */
export interface CheckedAnswer {
  readonly rung: number;
  readonly because: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly holdUntilBufferMs: number | null;
  /** Absent: the rate stays as it is. */
  readonly playbackRate?: number;
}

/**
 * Checks what a rule answered; the fault is one sentence. May throw what the rule's `because` throws.
 *  live of the moment that the rule was given
 */
export function checkedAnswer(answer: Answer, rungs: number, live?: LiveMoment): Result<CheckedAnswer> {
  const fault = faultOfRung(answer, rungs) ?? faultOfHold(answer) ?? faultOfRate(answer, live);
  if (fault !== null) return failed(fault);
  const { rung, holdUntilBufferMs = null, playbackRate } = answer;
  const because = typeof answer.because === 'function' ? answer.because() : answer.because;
  return ok({
    rung,
    because: String(because),
    values: finite(answer.values ?? {}),
    holdUntilBufferMs,
    ...(playbackRate !== undefined && { playbackRate }),
  });
}

const faultOfRung = ({ rung }: Answer, rungs: number): string | null =>
  Number.isInteger(rung) && rung >= 0 && rung < rungs
    ? null
    : `it returned the index ${String(rung)}, but the levels have the indices 0 to ${rungs - 1}`;

const faultOfHold = ({ holdUntilBufferMs: hold }: Answer): string | null =>
  hold === undefined || (Number.isFinite(hold) && hold >= 0)
    ? null
    : `it wants to hold until the buffer is ${String(hold)} ms`;

function faultOfRate({ playbackRate: rate }: Answer, live: LiveMoment | undefined): string | null {
  if (rate === undefined) return null;
  if (!live) return `it wants a playback rate of ${String(rate)} where it may set none`;
  return rate >= live.minRate && rate <= live.maxRate
    ? null
    : `it wants a playback rate of ${String(rate)}, but the limits are ${live.minRate} and ${live.maxRate}`;
}

const finite = (values: Readonly<Record<string, number | null>>): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Number.isFinite(value) ? value : null]),
  );

/** The answer in place of a failed rule's: playback goes on where it is. */
export function stay({ lastRung, live }: Moment, thrown: unknown): CheckedAnswer {
  const where = lastRung === null ? 'the lowest level' : `level ${lastRung + 1}`;
  return {
    rung: lastRung ?? 0,
    because: `The rule failed (${formatThrown(thrown)}), so playback stays on ${where}.`,
    values: {},
    holdUntilBufferMs: null,
    // Nobody else brings a rate that it has set back to usual.
    ...(live && { playbackRate: 1 }),
  };
}

/**
 * What a rule that measures answers before it has measured anything: the rung where playback starts, which is the
 * player's choice (`lastRung`), or else the lowest.
 */
export function unmeasured(ladder: Ladder, { lastRung }: Moment): Answer {
  const rung = Math.min(lastRung ?? 0, ladder.length - 1);
  return {
    rung,
    because: () =>
      `No download measured yet, so level ${rung + 1} of ${ladder.length}, where playback starts.`,
    values: { estimateKbps: null },
  };
}

const LONGEST_WORDS = 1000;

/** What a rule threw, in words without a stack and without a full stop. */
export function formatThrown(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return words.slice(0, LONGEST_WORDS).replace(/\.$/, '');
}
