/** Reads Caddy's access log, in which the origin records what was asked and what was sent. */
import { existsSync, readFileSync } from 'node:fs';

/** One finished (or broken off) request, as the origin saw it. Times are Unix milliseconds with fractions. */
export interface AccessRecord {
  /** When Caddy began to handle the request: its headers were there. */
  readonly startMs: number;
  /** When the handler returned: the last byte was handed to the transport, not yet acknowledged. */
  readonly endMs: number;
  readonly durationMs: number;
  readonly method: string;
  /** Path and query as asked. */
  readonly uri: string;
  /** Host and port as asked. */
  readonly host: string;
  readonly protocol: 'http/1.1' | 'h2' | 'h3' | null;
  /** Port of the client; null where the log does not have it. */
  readonly clientPort: number | null;
  readonly status: number;
  /** Body bytes that were sent; fewer than the resource has when the client went away. */
  readonly sizeBytes: number;
  /** The Range header, null when the whole resource was asked for. */
  readonly range: string | null;
  /** Request headers by lower-case name; a repeated header is joined with commas. */
  readonly requestHeaders: Readonly<Record<string, string>>;
  readonly responseHeaders: Readonly<Record<string, string>>;
}

/** Fields of a line of Caddy's JSON, as far as they are read here. */
interface CaddyLine {
  readonly ts: number;
  readonly duration: number;
  readonly size: number;
  readonly status: number;
  readonly request: {
    readonly proto: string;
    readonly remote_port?: string;
    readonly method: string;
    readonly host: string;
    readonly uri: string;
    readonly headers: Readonly<Record<string, readonly string[]>>;
  };
  readonly resp_headers: Readonly<Record<string, readonly string[]>>;
}

const protocols: Readonly<Record<string, AccessRecord['protocol']>> = {
  'HTTP/1.1': 'http/1.1',
  'HTTP/2.0': 'h2',
  'HTTP/3.0': 'h3',
};

/** Reads every record of an access log, in the order in which requests ended; none before the first request. */
export function readAccessLog(file: string): AccessRecord[] {
  return existsSync(file) ? parseAccessLog(readFileSync(file, 'utf8')) : [];
}

/** Parses the text of an access log into records. A last line without newline is still being written and is left out. */
export function parseAccessLog(text: string): AccessRecord[] {
  const lines = text.slice(0, text.lastIndexOf('\n') + 1).split('\n');
  return lines.flatMap((line, index) => (line === '' ? [] : [record(line, index + 1)]));
}

function record(line: string, lineNumber: number): AccessRecord {
  const entry = parseLine(line, lineNumber);
  const requestHeaders = flatHeaders(entry.request.headers);
  const endMs = entry.ts * 1000;
  const durationMs = entry.duration * 1000;
  return {
    startMs: endMs - durationMs,
    endMs,
    durationMs,
    method: entry.request.method,
    uri: entry.request.uri,
    host: entry.request.host,
    protocol: protocols[entry.request.proto] ?? null,
    clientPort: Number(entry.request.remote_port ?? NaN) || null,
    status: entry.status,
    sizeBytes: entry.size,
    range: requestHeaders['range'] ?? null,
    requestHeaders,
    responseHeaders: flatHeaders(entry.resp_headers),
  };
}

function parseLine(line: string, lineNumber: number): CaddyLine {
  try {
    return JSON.parse(line) as CaddyLine;
  } catch (cause) {
    throw new Error(`The access log has no JSON on line ${lineNumber}: ${line.slice(0, 80)}`, { cause });
  }
}

function flatHeaders(headers: Readonly<Record<string, readonly string[]>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, values]) => [name.toLowerCase(), values.join(', ')]),
  );
}
