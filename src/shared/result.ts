/** The outcome of reading something from outside: a value, or one sentence that says what is wrong and where. */
export type Result<Value> =
  { readonly ok: true; readonly value: Value } | { readonly ok: false; readonly error: string };

export const ok = <Value>(value: Value): Result<Value> => ({ ok: true, value });
export const failed = (error: string): Result<never> => ({ ok: false, error });
