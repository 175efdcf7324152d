import type { Result } from '../src/shared/result.ts';

/** The value of a result. @throws Error with its sentence when there is none */
export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
