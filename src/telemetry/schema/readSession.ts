import { failed, ok, type Result } from '../../result.ts';
import { checkOf } from './checkOf.ts';
import type { Check, Fault } from './jsonSchema.ts';
import { SCHEMA_ID } from './schemaId.ts';
import { SessionEvent, SessionHeader, type SessionLog } from './sessionLog.ts';

/**
 * Reads a session file. Every fault is one sentence that says what was wrong and where; nothing of the file is
 * ever executed or shown as anything but text. Page and command line read with this same code.
 */
export function readSession(text: string): Result<SessionLog> {
  const parsed = parseJson(text);
  return parsed.ok ? checkSession(parsed.value) : parsed;
}

/** The same for a value that is already parsed. */
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
        ? `The file is cut off: it is JSON that ends in mid-air after ${text.length} characters.`
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
  if (events.length > MOST_EVENTS)
    return `The session log has ${events.length} events; Pitwall reads up to ${MOST_EVENTS}.`;
  const whole = { schema, ...header };
  const fault = checkHeader(whole);
  if (fault) return `The session log's header is wrong: ${sentence(fault)}`;
  const words = faultOfMissing((whole as unknown as SessionHeader).environment);
  return words && `/environment${words}`;
}

function faultOfVersion(schema: unknown): string | null {
  if (schema === SCHEMA_ID) return null;
  const newer = /^pitwall-session\/(\d{1,6})$/.exec(typeof schema === 'string' ? schema : '');
  return newer
    ? `The file is of schema "pitwall-session/${newer[1]}"; this version of Pitwall reads up to "${SCHEMA_ID}".`
    : `This is JSON, but not a session log: /schema should be "${SCHEMA_ID}".`;
}

/** As in the schema: 24 h at the recorded rate is under a million. */
const MOST_EVENTS = 5_000_000;

const checkHeader = checkOf(SessionHeader);

/** Told apart by kind first: a union tries every kind in turn. */
const CHECKS = new Map<unknown, Check>(
  SessionEvent.anyOf.map((schema) => [schema.properties.kind.const, checkOf(schema)]),
);

function faultOfEvent(event: unknown, index: number): string | null {
  const kind = (event as { kind?: unknown } | null)?.kind;
  const check = CHECKS.get(kind);
  if (!check) return `/events/${index}: unknown kind of event ${quoted(kind)}.`;
  const fault = check(event);
  const words = fault ? `: ${sentence(fault)}` : faultOfMissing(event as SessionEvent);
  return words && `/events/${index} (${String(kind)})${words}`;
}

/** Unknown is null with a reason: each null needs one, and no reason may stand beside a value. */
function faultOfMissing(record: { missing: Readonly<Record<string, unknown>> }): string | null {
  const fields = record as unknown as Record<string, unknown>;
  const reasons = record.missing;
  for (const key in fields)
    if (fields[key] === null && !Object.hasOwn(reasons, key))
      return `: ${key} is null and /missing gives no reason.`;
  for (const key in reasons)
    if (!Object.hasOwn(fields, key) || fields[key] !== null)
      return `: /missing gives a reason for ${quoted(key)}, which is not null.`;
  return null;
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

function sentence({ path, wanted, value }: Fault): string {
  const where = path === '' ? 'the value' : shortened(path);
  return wanted === null
    ? `${where} should not be there.`
    : `${where} should be ${wanted}, but it is ${quoted(value)}.`;
}

/** Lists and objects are only named: a file may nest them deeper than they can be written. */
function quoted(value: unknown): string {
  if (value === undefined) return 'not there';
  if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object';
  return shortened(JSON.stringify(value) ?? typeof value);
}

const shortened = (text: string): string => (text.length > 80 ? `${text.slice(0, 77)}…` : text);
