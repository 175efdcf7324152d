import type { Result } from '../src/shared/result.ts';
import { isNoSpace } from './files.ts';

/** What the process ends with; docs/exit-codes.md is the same table for people. */
export const EXIT = {
  done: 0,
  failed: 1,
  usage: 2,
  notShown: 3,
  folderInUse: 4,
  noSpace: 5,
  conditionMet: 6,
  invalidated: 7,
  notPlayed: 8,
  regression: 9,
  cannotTell: 10,
  tooBusy: 11,
  problemFound: 12,
  warningFound: 13,
  interrupted: 130,
} as const;

/** An error that ends the process with a code of its own; every other one is `EXIT.failed`. */
export class CodedError extends Error {
  readonly exitCode: number;
  constructor(exitCode: number, message: string) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** An option, rule or value that was asked for and cannot be had, in one sentence. */
export const usageError = (message: string): CodedError => new CodedError(EXIT.usage, message);

/** What was asked for. @throws CodedError of wrong usage with the sentence of a result that has no value */
export function askedValue<Value>(result: Result<Value>): Value {
  if (!result.ok) throw usageError(result.error);
  return result.value;
}

/** What an error ends the process with. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CodedError) return error.exitCode;
  return isNoSpace(error) ? EXIT.noSpace : EXIT.failed;
}
