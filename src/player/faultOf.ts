import { formatThrown } from '../abr/answer.ts';
import type { Draft, ErrorEvent } from '../telemetry/event.ts';

/** What a rule threw, as an event: its words without a stack, because a log leaves this machine. */
export function faultOf(ruleId: string, thrown: unknown, atMs: number): Draft<ErrorEvent> {
  return {
    kind: 'error',
    atMs,
    source: 'rule',
    code: ruleId,
    message: `The rule ${ruleId} failed: ${formatThrown(thrown)}.`,
    requestId: null,
    fatal: false,
    missing: { requestId: 'not-applicable' },
  };
}
