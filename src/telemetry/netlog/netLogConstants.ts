/** The table at the head of a NetLog: numbers differ from one Chromium to the next, names stay. */
export interface NetLogConstants {
  readonly typeNames: ReadonlyMap<number, string>;
  /** Added to an event's `time` (ms of the browser's tick clock) it gives Unix ms. */
  readonly tickOffsetMs: number;
  readonly netErrorNames: ReadonlyMap<number, string>;
  readonly quicErrorNames: ReadonlyMap<number, string>;
}

/** Reads the first line, `{"constants": {…},`; null when it is something else. */
export function readConstants(line: string): NetLogConstants | null {
  const start = line.indexOf('{', line.indexOf('"constants"') + 1);
  if (!line.includes('"constants"') || start === -1) return null;
  const table = objectOrNull(withoutTail(line.slice(start)));
  const offset = Number(table?.['timeTickOffset'] ?? NaN);
  if (!table || typeof table['logEventTypes'] !== 'object' || !Number.isFinite(offset)) return null;
  return {
    typeNames: namesOf(table['logEventTypes']),
    tickOffsetMs: offset,
    netErrorNames: namesOf(table['netError']),
    quicErrorNames: namesOf(table['quicError']),
  };
}

/** Without the comma and the spaces that separate a line from the next. */
function withoutTail(line: string): string {
  let end = line.length;
  while (end > 0 && /[\s,]/.test(line[end - 1]!)) end -= 1;
  return line.slice(0, end);
}

function objectOrNull(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const parsed: unknown = JSON.parse(text);
    return typeof parsed === 'object' ? (parsed as Readonly<Record<string, unknown>> | null) : null;
  } catch {
    return null;
  }
}

function namesOf(table: unknown): ReadonlyMap<number, string> {
  const entries = Object.entries((table ?? {}) as Readonly<Record<string, unknown>>);
  return new Map(entries.map(([name, code]) => [Number(code), name]));
}
