import { existsSync } from 'node:fs';
import path from 'node:path';
import { requireTool, setUpAgain, tools } from '../tools.ts';

export const loadProtocols = ['h1', 'h2', 'h3'] as const;
export type LoadProtocol = (typeof loadProtocols)[number];

/** What `pitwall-load` (`lab/origin/src/bin`) is asked for. */
export interface LoadOptions {
  readonly protocol: LoadProtocol;
  /** IP:PORT. */
  readonly address: string;
  readonly host: string;
  readonly path: string;
  /** At a time. Default: 1. */
  readonly connections?: number;
  /** One after the other on each connection. Default: until the time is over. */
  readonly requests?: number;
  readonly seconds: number;
  /** How fast each connection reads. Default: as fast as it comes. */
  readonly readKbps?: number;
  /** Flow control. Default: `RECEIVE_WINDOW_BYTES`. */
  readonly windowBytes?: number;
  readonly progressMs?: number;
  /** Linux network namespace to run in. */
  readonly namespace?: string;
  /** Processor core to stay on. */
  readonly core?: number;
}

/** The program's own default: no limit for a link of the lab. */
export const RECEIVE_WINDOW_BYTES = 16 * 1024 * 1024;

/** Why nothing can be loaded here; null where it can. */
export function loadMissing(): string | null {
  const { origin, missing } = tools();
  if (origin === null) return `the instrumented origin is missing: ${missing['origin'] ?? setUpAgain()}`;
  const program = loadProgram();
  return existsSync(program) ? null : `${program} is missing: ${setUpAgain()}`;
}

/** Set-up puts it beside the origin. */
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

/** What `pitwall-load` prints: JSON lines. Times are wall clock, as in the origin's logs. */
export type LoadLine = Opened | Answer | Failure | Progress | End;

export interface Opened {
  readonly kind: 'opened';
  readonly connection: number;
  readonly openingAtUnixMs: number;
  /** Handshake done. */
  readonly atUnixMs: number;
}

export interface Answer {
  readonly kind: 'answer';
  readonly connection: number;
  /** Counted from 0 on each connection. */
  readonly request: number;
  readonly askedAtUnixMs: number;
  readonly headersAtUnixMs: number;
  /** null without a body. */
  readonly firstBodyAtUnixMs: number | null;
  readonly atUnixMs: number;
  readonly status: number;
  /** Of the body. */
  readonly bytes: number;
  /** Not when the time was over first. */
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
  /** Of the client itself; null where the system does not tell. */
  readonly cpuSeconds: number | null;
}
