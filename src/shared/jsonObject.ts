/** A JSON object as it was parsed: nothing is known of its fields. */
type JsonObject = Readonly<Record<string, unknown>>;

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Returns an object with these fields of another one; a field that it does not have is absent. */
export const pickFields = <Of extends object, Name extends keyof Of>(
  of: Of,
  names: readonly Name[],
): Pick<Of, Name> =>
  Object.fromEntries(names.flatMap((name) => (name in of ? [[name, of[name]]] : []))) as Pick<Of, Name>;
