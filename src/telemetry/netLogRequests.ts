import { failed, ok, type Result } from '../result.ts';

/** One URL request of the browser's network stack, timed by the stack itself. */
export interface NetLogRequest {
  readonly url: string;
  readonly method: string;
  /** Unix ms, as all times here; NetLog counts whole milliseconds. */
  readonly startUnixMs: number;
  /** Response headers read; null when none came. */
  readonly firstByteUnixMs: number | null;
  /** The last read that brought body bytes or found the end; null when none did. */
  readonly lastByteUnixMs: number | null;
  readonly receivedBytes: number;
  /** Chromium's net error (net/base/net_error_list.h), e.g. -356 for a QUIC protocol error; null when it ended well. */
  readonly netError: number | null;
}

/**
 * Reads the requests out of a Chromium NetLog (`--log-net-log`). Chromium writes one event a line and a killed browser
 * leaves the file unclosed, so it is read line by line and a last, torn line is left out.
 */
export function readNetLogRequests(text: string): Result<NetLogRequest[]> {
  const lines = text.split('\n');
  const constants = readConstants(lines[0] ?? '');
  if (!constants) return failed('This is not a NetLog: its first line has no "constants".');
  const open = new Map<number, Mutable>();
  const found: Mutable[] = [];
  for (const line of lines.slice(1)) {
    const event = readEvent(line);
    if (event) fold(event, { constants, open, found });
  }
  return ok(found);
}

type Mutable = { -readonly [Key in keyof NetLogRequest]: NetLogRequest[Key] };

interface Constants {
  readonly nameOf: ReadonlyMap<number, string>;
  readonly offsetMs: number;
}

interface NetLogEvent {
  readonly type: number;
  readonly time: string;
  /** 0 a moment, 1 the begin, 2 the end of something (net/log/net_log_event_type.h). */
  readonly phase: 0 | 1 | 2;
  readonly source: { readonly id: number };
  readonly params?: Readonly<Record<string, unknown>>;
}

function readConstants(line: string): Constants | null {
  const start = line.indexOf('{', line.indexOf('"constants"') + 1);
  if (!line.includes('"constants"') || start === -1) return null;
  const parsed = parseOrNull(line.slice(start).replace(/,\s*$/, ''));
  const { logEventTypes, timeTickOffset } = (parsed ?? {}) as {
    logEventTypes?: Record<string, number>;
    timeTickOffset?: number | string;
  };
  if (!logEventTypes) return null;
  const nameOf = new Map(Object.entries(logEventTypes).map(([name, type]) => [type, name]));
  return { nameOf, offsetMs: Number(timeTickOffset) };
}

const readEvent = (line: string): NetLogEvent | null =>
  line.startsWith('{"') ? (parseOrNull(line.replace(/,?\s*(\]\}?)?,?\s*$/, '')) as NetLogEvent | null) : null;

function parseOrNull(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

interface Folding {
  readonly constants: Constants;
  readonly open: Map<number, Mutable>;
  readonly found: Mutable[];
}

/** What each kind of event tells about its request. Keys are Chromium's names with the phase behind. */
const TELLS: Readonly<Record<string, (request: Mutable, unixMs: number, params: Params) => void>> = {
  'HTTP_TRANSACTION_READ_HEADERS 2': (request, unixMs) => void (request.firstByteUnixMs = unixMs),
  'HTTP_TRANSACTION_READ_BODY 2': (request, unixMs) => void (request.lastByteUnixMs = unixMs),
  'URL_REQUEST_JOB_FILTERED_BYTES_READ 0': (request, _unixMs, { byte_count: bytes }) =>
    void (request.receivedBytes += typeof bytes === 'number' ? bytes : 0),
  'FAILED 0': noteError,
  'REQUEST_ALIVE 2': noteError,
};

type Params = Readonly<Record<string, unknown>>;

function noteError(request: Mutable, _unixMs: number, { net_error: error }: Params): void {
  request.netError ??= typeof error === 'number' ? error : null;
}

function fold(event: NetLogEvent, { constants, open, found }: Folding): void {
  const name = constants.nameOf.get(event.type) ?? '';
  const unixMs = Number(event.time) + constants.offsetMs;
  if (name === 'URL_REQUEST_START_JOB' && event.phase === 1) begin(event, unixMs, { constants, open, found });
  const request = open.get(event.source.id);
  if (request) TELLS[`${name} ${event.phase}`]?.(request, unixMs, event.params ?? {});
}

/** A redirect starts a second job of the same source: it is a request of its own. */
function begin(event: NetLogEvent, startUnixMs: number, { open, found }: Folding): void {
  const { url, method } = event.params ?? {};
  if (typeof url !== 'string') return;
  const request: Mutable = {
    url,
    method: typeof method === 'string' ? method : 'GET',
    startUnixMs,
    firstByteUnixMs: null,
    lastByteUnixMs: null,
    receivedBytes: 0,
    netError: null,
  };
  open.set(event.source.id, request);
  found.push(request);
}
