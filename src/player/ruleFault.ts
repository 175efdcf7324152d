import type { Moment } from '../abr/rule.ts';
import type { Draft, ErrorEvent } from '../telemetry/event.ts';
import type { CheckedAnswer } from './checkedAnswer.ts';

const LONGEST_WORDS = 1000;

/** What a rule threw, as an event: its words without a stack, because a log leaves this machine. */
export function faultOf(ruleId: string, thrown: unknown, atMs: number): Draft<ErrorEvent> {
  return {
    kind: 'error',
    atMs,
    source: 'rule',
    code: ruleId,
    message: `The rule ${ruleId} failed: ${wordsOf(thrown)}.`,
    requestId: null,
    fatal: false,
    missing: { requestId: 'not-applicable' },
  };
}

/** The answer in place of a failed rule's: playback goes on where it is. */
export function stay({ lastRung }: Moment, thrown: unknown): CheckedAnswer {
  const where = lastRung === null ? 'the lowest rung' : `rung ${lastRung + 1}`;
  return {
    rung: lastRung ?? 0,
    because: `The rule failed (${wordsOf(thrown)}), so playback stays on ${where}.`,
    values: {},
    holdUntilBufferMs: null,
  };
}

function wordsOf(thrown: unknown): string {
  const words = thrown instanceof Error ? thrown.message : String(thrown);
  return words.slice(0, LONGEST_WORDS).replace(/\.$/, '');
}
