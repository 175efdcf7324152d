import type { MissingReason } from './event.ts';

/** A value that is not known, and why. */
export interface Absent {
  readonly absent: MissingReason;
}

export const absent = (reason: MissingReason): Absent => ({ absent: reason });

type Flat<Fields> = {
  -readonly [Key in keyof Fields]: Absent extends Fields[Key]
    ? Exclude<Fields[Key], Absent> | null
    : Fields[Key];
};

/** Splits fields into what an event wants: flat values, null where absent, and the reasons in `missing`. */
export function withReasons<Fields extends object>(
  fields: Fields,
): Flat<Fields> & { missing: Record<string, MissingReason> } {
  const missing: Record<string, MissingReason> = {};
  const values = Object.entries(fields).map(([name, value]: [string, unknown]) => {
    if (!isAbsent(value)) return [name, value];
    missing[name] = value.absent;
    return [name, null];
  });
  return { ...Object.fromEntries(values), missing } as Flat<Fields> & {
    missing: Record<string, MissingReason>;
  };
}

/** The value when it is a finite number within the log's range, else absent: dash.js says NaN for unknown. */
export function finiteOr(value: unknown, reason: MissingReason): number | Absent {
  return typeof value === 'number' && Number.isFinite(value) ? value : absent(reason);
}

/** The value when it is a text with something in it. */
export function textOr(value: unknown, reason: MissingReason): string | Absent {
  return typeof value === 'string' && value !== '' ? value : absent(reason);
}

function isAbsent(value: unknown): value is Absent {
  return typeof value === 'object' && value !== null && 'absent' in value;
}
