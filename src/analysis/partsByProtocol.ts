import { PROTOCOL_NAMES, PROTOCOLS, type Protocol } from './protocol.ts';

/** A number for each protocol that something was carried by, under the name that people know. */
export function partsByProtocol<Entry extends { readonly protocol: Protocol }>(
  entries: readonly Entry[],
  measure: (entries: readonly Entry[]) => number | null,
): Record<string, number> {
  const parts: Record<string, number> = {};
  for (const protocol of PROTOCOLS) {
    const mine = entries.filter((entry) => entry.protocol === protocol);
    const value = mine.length > 0 ? measure(mine) : null;
    if (value !== null) parts[PROTOCOL_NAMES[protocol]] = value;
  }
  return parts;
}
