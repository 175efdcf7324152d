/** A number, or null with one sentence that says why it is not known. */
export type Figure =
  { readonly value: number; readonly why: null } | { readonly value: null; readonly why: string };

export const known = (value: number): Figure => ({ value, why: null });
export const unknown = (why: string): Figure => ({ value: null, why });
/** The value, or the reason when there is none. */
export const figureOf = (value: number | null, why: string): Figure =>
  value === null ? unknown(why) : known(value);
