/** The outcome of reading something from outside: a value, or one sentence that says what is wrong and where. */
export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: string };

export const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value });
export const failed = (error: string): Result<never> => ({ ok: false, error });

/** The value of a result. @throws Error with its sentence when there is none */
export function valueOf<Value>(result: Result<Value>): Value {
  if (!result.ok) throw new Error(result.error);
  return result.value;
}
