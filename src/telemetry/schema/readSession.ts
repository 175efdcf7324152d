import { failed, ok, type Result } from '../../shared/result.ts';
import { checkFor } from './checkOf.ts';
import { faultOfMissing, faultOfReasons, formatFault, quoted, schemaOfKind } from './recordFault.ts';
import { SessionHeader, type SessionEvent, type SessionLog } from './sessionLog.ts';
import { SCHEMA_ID } from './versions.ts';

/**
 * Reads a session file. Every fault is one sentence that says what was wrong and where; nothing of the file is
 * ever executed or shown as anything but text. Page and command line read with this same code.
 */
export function readSession(text: string): Result<SessionLog> {
  const parsed = parseJson(text);
  return parsed.ok ? checkSession(parsed.value) : parsed;
}

/** Checks a session log that is already parsed. */
export function checkSession(value: unknown): Result<SessionLog> {
  const shape = faultOfShape(value);
  if (shape) return failed(shape);
  const log = value as SessionLog;
  for (const [index, event] of log.events.entries()) {
    const fault = faultOfEvent(event, index);
    if (fault) return failed(fault);
  }
  return faultOfReferences(log) ?? ok(log);
}

function parseJson(text: string): Result<unknown> {
  try {
    return ok(JSON.parse(text));
  } catch {
    const end = text.trimEnd().slice(-1);
    if (text.trim() === '') return failed('The file is empty.');
    const cutOff = text.trimStart().startsWith('{') && end !== '}';
    return failed(
      cutOff
        ? `The file is cut off: it is JSON that ends after ${text.length} characters.`
        : 'The file is not JSON.',
    );
  }
}

function faultOfShape(value: unknown): string | null {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'This is JSON, but not a session log: the top is not an object.';
  const { schema, events, ...header } = value as Record<string, unknown>;
  const version = faultOfVersion(schema);
  if (version) return version;
  if (!Array.isArray(events)) return 'The session log has no list of events at /events.';
  if (events.length > MAX_EVENTS)
    return `The session log has ${events.length} events; Pitwall reads up to ${MAX_EVENTS}.`;
  const whole = { schema, ...header };
  const fault = checkFor(SessionHeader)(whole);
  if (fault) return `The session log's header is wrong: ${formatFault(fault)}`;
  const { environment } = whole as unknown as SessionHeader;
  const words = faultOfMissing(environment);
  return words ? `/environment${words}` : faultOfFlows(environment);
}

function faultOfFlows({ beside }: SessionHeader['environment']): string | null {
  const faults = (beside?.flows ?? []).map(faultOfMissing);
  const index = faults.findIndex((fault) => fault !== null);
  return index < 0 ? null : `/environment/beside/flows/${index}${faults[index]}`;
}

function faultOfVersion(schema: unknown): string | null {
  if (schema === SCHEMA_ID) return null;
  const other = /^pitwall-session\/\d{1,6}$/.exec(typeof schema === 'string' ? schema : '');
  return other
    ? `The file is of schema "${other[0]}"; this version of Pitwall reads "${SCHEMA_ID}".`
    : `This is JSON, but not a session log: /schema should be "${SCHEMA_ID}".`;
}

/** As in the schema: 24 h at the recorded rate is under a million. */
const MAX_EVENTS = 5_000_000;

function faultOfEvent(event: unknown, index: number): string | null {
  const kind = (event as { kind?: unknown } | null)?.kind;
  const schema = schemaOfKind(kind);
  if (!schema) return `/events/${index}: unknown kind of event ${quoted(kind)}.`;
  const fault = checkFor(schema)(event);
  const words = fault ? `: ${formatFault(fault)}` : faultOfReasons(event as SessionEvent);
  return words && `/events/${index} (${String(kind)})${words}`;
}

function faultOfReferences(log: SessionLog): Result<never> | null {
  const ids = new Set<string>();
  const requests = new Set<string>();
  for (const { id, kind } of log.events) {
    if (ids.has(id)) return failed(`Two events have the id ${quoted(id)}.`);
    ids.add(id);
    if (kind === 'request') requests.add(id);
  }
  const lost = log.events.findIndex((event) => {
    const requestId = 'requestId' in event ? event.requestId : null;
    return requestId !== null && !requests.has(requestId);
  });
  return lost === -1 ? null : failed(`/events/${lost}: requestId names a request that is not in the log.`);
}
