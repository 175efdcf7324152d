import { existsSync } from 'node:fs';
import path from 'node:path';
import { requireTool, setUpAgain, tools } from '../tools.ts';

export const loadProtocols = ['h1', 'h2', 'h3'] as const;
export type LoadProtocol = (typeof loadProtocols)[number];

/** Options of `pitwall-load` (`lab/origin/src/bin`). */
export interface LoadOptions {
  readonly protocol: LoadProtocol;
  /** IP address and port of the server, as IP:PORT. */
  readonly address: string;
  readonly host: string;
  readonly path: string;
  /** Count of connections at a time. Default: 1. */
  readonly connections?: number;
  /** Count of requests, one after the other, on each connection. Default: until the time is over. */
  readonly requests?: number;
  readonly seconds: number;
  /** Rate at which each connection reads. Default: no limit. */
  readonly readKbps?: number;
  /** Receive window of flow control. Default: `RECEIVE_WINDOW_BYTES`. */
  readonly windowBytes?: number;
  readonly progressMs?: number;
  /** Linux network namespace to run in. */
  readonly namespace?: string;
  /** Processor core to stay on. */
  readonly core?: number;
}

/** Default receive window of the program: no limit for a link of the lab. */
export const RECEIVE_WINDOW_BYTES = 16 * 1024 * 1024;

/** Says why the load program cannot run here; null where it can. */
export function loadMissing(): string | null {
  const { origin, missing } = tools();
  if (origin === null) return `the instrumented origin is missing: ${missing['origin'] ?? setUpAgain()}`;
  const program = loadProgram();
  return existsSync(program) ? null : `${program} is missing: ${setUpAgain()}`;
}

/** Returns the path of `pitwall-load`, which set-up puts beside the origin. */
export const loadProgram = (): string => path.join(path.dirname(requireTool('origin')), 'pitwall-load');

export function loadArguments(options: LoadOptions): string[] {
  const flags: Readonly<Record<string, string | number | undefined>> = {
    '--protocol': options.protocol,
    '--address': options.address,
    '--host': options.host,
    '--path': options.path,
    '--connections': options.connections,
    '--requests': options.requests,
    '--seconds': options.seconds,
    '--read-kbps': options.readKbps,
    '--window-bytes': options.windowBytes,
    '--progress-ms': options.progressMs,
  };
  return Object.entries(flags).flatMap(([flag, value]) => (value === undefined ? [] : [flag, String(value)]));
}

/** A JSON line that `pitwall-load` prints. Times are wall clock, as in the origin's logs. */
export type LoadLine = Opened | Answer | Failure | Progress | End;

export interface Opened {
  readonly kind: 'opened';
  readonly connection: number;
  readonly openingAtUnixMs: number;
  /** Time at which the handshake was done. */
  readonly atUnixMs: number;
}

export interface Answer {
  readonly kind: 'answer';
  readonly connection: number;
  /** Number of the request, counted from 0 on each connection. */
  readonly request: number;
  readonly askedAtUnixMs: number;
  readonly headersAtUnixMs: number;
  /** Time of the first byte of the body; null without a body. */
  readonly firstBodyAtUnixMs: number | null;
  readonly atUnixMs: number;
  readonly status: number;
  /** Bytes of the body. */
  readonly bytes: number;
  /** Whether the whole body came; false when the time was over first. */
  readonly isWhole: boolean;
  readonly serverTiming: string | null;
}

export interface Failure {
  readonly kind: 'failure';
  readonly connection: number;
  readonly atUnixMs: number;
  readonly why: string;
}

/** Bytes of all bodies so far. */
export interface Progress {
  readonly kind: 'progress';
  readonly atUnixMs: number;
  readonly bytes: number;
}

export interface End {
  readonly kind: 'end';
  readonly atUnixMs: number;
  readonly bytes: number;
  readonly answers: number;
  readonly failures: number;
  /** Processor time of the client itself; null where the system does not state it. */
  readonly cpuSeconds: number | null;
}
