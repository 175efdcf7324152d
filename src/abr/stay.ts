import type { CheckedAnswer } from './checkedAnswer.ts';
import { formatThrown } from './formatThrown.ts';
import type { Moment } from './rule.ts';

/** The answer in place of a failed rule's: playback goes on where it is. */
export function stay({ lastRung }: Moment, thrown: unknown): CheckedAnswer {
  const where = lastRung === null ? 'the lowest rung' : `rung ${lastRung + 1}`;
  return {
    rung: lastRung ?? 0,
    because: `The rule failed (${formatThrown(thrown)}), so playback stays on ${where}.`,
    values: {},
    holdUntilBufferMs: null,
  };
}
