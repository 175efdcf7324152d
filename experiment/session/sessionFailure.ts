import type { FailureId } from '../design/failure.ts';

/** A session that left no log, and why. */
export class SessionFailure extends Error {
  readonly failure: FailureId;
  constructor(failure: FailureId, cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.failure = failure;
  }
}

/** Waits for a part of a session. @throws SessionFailure when it fails, unless that says already what failed */
export const during = <Value>(failure: FailureId, part: Promise<Value>): Promise<Value> =>
  part.catch((error: unknown) => {
    throw error instanceof SessionFailure ? error : new SessionFailure(failure, error);
  });
