import type { MissingReason } from '../../telemetry/event.ts';

/** The nulls of an event, each with the reason that it has no meaning in a simulation, or the one given. */
export function reasonsFor(
  fields: object,
  reasons: Readonly<Record<string, MissingReason>> = {},
): Record<string, MissingReason> {
  const missing: Record<string, MissingReason> = {};
  for (const [name, value] of Object.entries(fields))
    if (value === null) missing[name] = reasons[name] ?? 'not-applicable';
  return missing;
}
