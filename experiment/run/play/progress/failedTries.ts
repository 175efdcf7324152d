import { readFileSync } from 'node:fs';
import { failures, type Failure } from '../../../plan/failure.ts';

/** A try that failed, as `keepFailure` wrote it. */
export interface FailedTry {
  readonly failure: Failure;
  readonly message: string;
}

/** The failed tries of a session, in their order; none where there is no such file. A torn line does not count. */
export function failedTries(file: string): FailedTry[] {
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap(tryIn);
}

function tryIn(line: string): FailedTry[] {
  try {
    const { failure: id, message } = JSON.parse(line) as { failure: string; message: string };
    const failure = failures.find((each) => each.id === id);
    return failure ? [{ failure, message }] : [];
  } catch {
    return [];
  }
}
