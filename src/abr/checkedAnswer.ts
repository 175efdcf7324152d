import { failed, ok, type Result } from '../shared/result.ts';
import type { Answer } from './rule.ts';

/** An answer that can be acted on and recorded: a rung of the ladder, a sentence, finite numbers. */
export interface CheckedAnswer {
  readonly rung: number;
  readonly because: string;
  readonly values: Readonly<Record<string, number | null>>;
  readonly holdUntilBufferMs: number | null;
}

/** Checks what a rule answered; the fault is one sentence. May throw what the rule's `because` throws. */
export function checkedAnswer(answer: Answer, rungs: number): Result<CheckedAnswer> {
  const { rung } = answer;
  if (!Number.isInteger(rung) || rung < 0 || rung >= rungs)
    return failed(`it chose rung ${String(rung)}, but the rungs are 0 to ${rungs - 1}`);
  const hold = answer.holdUntilBufferMs;
  if (hold !== undefined && !(Number.isFinite(hold) && hold >= 0))
    return failed(`it wants to hold until the buffer is ${String(hold)} ms`);
  const because = typeof answer.because === 'function' ? answer.because() : answer.because;
  return ok({
    rung,
    because: String(because),
    values: finite(answer.values ?? {}),
    holdUntilBufferMs: hold ?? null,
  });
}

const finite = (values: Readonly<Record<string, number | null>>): Record<string, number | null> =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [name, Number.isFinite(value) ? value : null]),
  );
