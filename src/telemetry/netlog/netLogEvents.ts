import { failed, ok, type Result } from '../../shared/result.ts';

/** One event of a NetLog, with Chromium's own name and a Unix time. */
export interface NetLogEvent {
  readonly name: string;
  /** 0 a moment, 1 the begin, 2 the end of something (net/log/net_log_event_phase.h). */
  readonly phase: 0 | 1 | 2;
  /** What it is about: a request, a job, a socket. Unique in a file. */
  readonly sourceId: number;
  /** Unix ms; NetLog counts whole milliseconds. */
  readonly unixMs: number;
  readonly params: Params;
}

type Params = Readonly<Record<string, unknown>>;

/** The table at the head of a NetLog: numbers differ from one Chromium to the next, names stay. */
export interface NetLogConstants {
  readonly typeNames: ReadonlyMap<number, string>;
  /** Added to an event's `time` (ms of the browser's tick clock) it gives Unix ms. */
  readonly tickOffsetMs: number;
  readonly netErrorNames: ReadonlyMap<number, string>;
  readonly quicErrorNames: ReadonlyMap<number, string>;
}

/** Takes a NetLog as chunks of text and hands on the wanted events one by one, so that nothing has to be kept. */
interface NetLogScanner {
  push(text: string): void;
  /** The constants as soon as their line was there; a sentence once it is certain that this is no NetLog. */
  head(): Result<NetLogConstants> | null;
  /** Reads what stands after the last line break; says what the head was. */
  end(): Result<NetLogConstants>;
}

interface ScanOptions {
  /** Names of the events to hand on; lines of others are not even parsed. */
  readonly wanted: ReadonlySet<string>;
  readonly onEvent: (event: NetLogEvent, constants: NetLogConstants) => void;
  /** Gets what the browser knew when it closed the file (net/log/net_log_util.cc); a killed browser writes none. */
  readonly onPolled?: (polled: Params) => void;
}

const POLLED = '"polledData":';

/** `"polledData": [{…}]}`, an entry for each set of connections; the browser's own come first. */
function polledIn(line: string): Params[] {
  const end = line.lastIndexOf(']');
  const entries: unknown = objectOrNull(line.slice(POLLED.length, end + 1));
  return Array.isArray(entries) ? entries.filter((entry): entry is Params => isObject(entry)) : [];
}

const isObject = (value: unknown): boolean => typeof value === 'object' && value !== null;

const NO_NETLOG = 'This is not a NetLog: its first line has no "constants".';

/**
 * Chromium writes one event a line, and a killed browser leaves the file unclosed: a last, torn line is left out, and
 * so is every line that is no event (net/log/file_net_log_observer.cc).
 */
export function scanNetLog({ wanted, onEvent, onPolled }: ScanOptions): NetLogScanner {
  let head: Result<NetLogConstants> | null = null;
  let types: ReadonlySet<number> = new Set();
  const takeHead = (line: string): void => {
    const constants = readConstants(line);
    head = constants ? ok(constants) : failed(NO_NETLOG);
    types = new Set(
      [...(constants?.typeNames ?? [])].flatMap(([type, name]) => (wanted.has(name) ? type : [])),
    );
  };
  const takeEvent = (line: string, constants: NetLogConstants): void => {
    if (!isWanted(line, types)) return;
    const event = readEvent(line, constants);
    if (event && wanted.has(event.name)) onEvent(event, constants);
  };
  const takeLine = (line: string): void => {
    if (head === null) takeHead(line);
    else if (!head.ok) return;
    else if (onPolled && line.startsWith(POLLED)) polledIn(line).forEach(onPolled);
    else takeEvent(line, head.value);
  };
  const lines = createLineSplitter(takeLine);
  return {
    push(text) {
      if (head?.ok !== false) lines.push(text);
    },
    head: () => head,
    end() {
      lines.end();
      return head ?? failed(NO_NETLOG);
    },
  };
}

export const numberIn = (params: Params, key: string): number | null =>
  typeof params[key] === 'number' ? params[key] : null;
export const textIn = (params: Params, key: string): string | null =>
  typeof params[key] === 'string' ? params[key] : null;

/** The other source that an event names in `source_dependency`. */
export const dependencyIn = (params: Params): number | null =>
  numberIn((params['source_dependency'] ?? {}) as Params, 'id');

/** Chromium's net errors are negative (net/base/net_error_list.h). */
export function netErrorIn(params: Params): number | null {
  const error = numberIn(params, 'net_error');
  return error !== null && Number.isInteger(error) && error < 0 && error > -1000 ? error : null;
}

/**
 * Keys are written in order of the alphabet, so an event ends with its type, and nine lines in ten need no parsing.
 * A line that ends otherwise is parsed to find out.
 */
function isWanted(line: string, types: ReadonlySet<number>): boolean {
  if (!line.startsWith('{"')) return false;
  const end = /"type":(\d+)\}[\s,\]]*$/.exec(line.slice(-40));
  return end === null || types.has(Number(end[1]));
}

function readEvent(line: string, { typeNames, tickOffsetMs }: NetLogConstants): NetLogEvent | null {
  const { type, time, phase, source, params } = parsed(line);
  const name = typeNames.get(type as number);
  const sourceId = (source as { id?: unknown } | undefined)?.id;
  const unixMs = Number(time) + tickOffsetMs;
  if (name === undefined || typeof sourceId !== 'number' || !Number.isFinite(unixMs)) return null;
  if (phase !== 0 && phase !== 1 && phase !== 2) return null;
  return {
    name,
    phase,
    sourceId,
    unixMs,
    params: typeof params === 'object' ? ((params ?? {}) as Params) : {},
  };
}

function parsed(line: string): Params {
  try {
    return (JSON.parse(withoutTail(line)) ?? {}) as Params;
  } catch {
    return {};
  }
}

/** Without what stands after an event: a comma, and after the last one the end of the list and of the file. */
function withoutTail(line: string): string {
  const event = withoutComma(line);
  const end = event.endsWith(']}') ? 2 : event.endsWith(']') ? 1 : 0;
  return end === 0 ? event : withoutComma(event.slice(0, -end));
}

function withoutComma(text: string): string {
  const trimmed = text.trimEnd();
  return trimmed.endsWith(',') ? trimmed.slice(0, -1) : trimmed;
}

/** Reads the first line, `{"constants": {…},`; null when it is something else. */
function readConstants(line: string): NetLogConstants | null {
  const start = line.indexOf('{', line.indexOf('"constants"') + 1);
  if (!line.includes('"constants"') || start === -1) return null;
  const table = objectOrNull(withoutComma(line.slice(start)));
  const offset = Number(table?.['timeTickOffset'] ?? NaN);
  if (!table || typeof table['logEventTypes'] !== 'object' || !Number.isFinite(offset)) return null;
  return {
    typeNames: namesOf(table['logEventTypes']),
    tickOffsetMs: offset,
    netErrorNames: namesOf(table['netError']),
    quicErrorNames: namesOf(table['quicError']),
  };
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

/** Takes text in chunks of any size, hands on whole lines without their line break. */
interface LineSplitter {
  push(text: string): void;
  /** Hands on what stands after the last line break. */
  end(): void;
}

/** A line longer than `maxChars` is left out, so that a file without line breaks cannot fill the memory. */
export function createLineSplitter(onLine: (line: string) => void, maxChars = 32e6): LineSplitter {
  let rest = '';
  let tooLong = false;
  const keep = (piece: string): void => {
    tooLong ||= rest.length + piece.length > maxChars;
    rest = tooLong ? '' : rest + piece;
  };
  const finish = (): void => {
    if (!tooLong) onLine(rest);
    [rest, tooLong] = ['', false];
  };
  return {
    push(text) {
      let from = 0;
      for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', from)) {
        keep(text.slice(from, at));
        finish();
        from = at + 1;
      }
      keep(text.slice(from));
    },
    end: finish,
  };
}
