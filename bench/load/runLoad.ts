import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { enterNamespace, type Command } from '../../lab/namespaces.ts';
import { requireTool, tools } from '../../lab/tools.ts';
import { onLeaving } from './bulkFolder.ts';

export const loadProtocols = ['h1', 'h2', 'h3'] as const;
export type LoadProtocol = (typeof loadProtocols)[number];

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
  /** Flow control. Default: 16 MiB. */
  readonly windowBytes?: number;
  readonly progressMs?: number;
  /** Linux network namespace to run in. */
  readonly namespace?: string;
  /** Processor core to stay on. */
  readonly core?: number;
}

/** Why nothing can be loaded here; null where it can. */
export function loadMissing(): string | null {
  const { origin, missing } = tools();
  if (origin === null)
    return `the instrumented origin is missing: ${missing['origin'] ?? 'run "npm run setup"'}`;
  const program = loadProgram();
  return existsSync(program) ? null : `${program} is missing: run "npm run setup" again`;
}

/** Loads an origin and resolves to what came. @throws Error when the client cannot run or does not end. */
export const runLoad = (options: LoadOptions): Promise<LoadResult> => resultOf(commandOf(options));

/** Begins that many QUIC handshakes, each from a port of its own, and finishes none. @throws Error as `runLoad` does */
export async function beginHandshakes(
  { address, host }: Pick<LoadOptions, 'address' | 'host'>,
  count: number,
): Promise<void> {
  const at = ['--protocol', 'h3', '--address', address, '--host', host];
  await resultOf([loadProgram(), ...at, '--half-open', '--connections', String(count)]);
}

function resultOf([program, ...args]: Command): Promise<LoadResult> {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const gone = onLeaving(() => child.kill('SIGKILL'));
  let [reported, complaint] = ['', ''];
  child.stdout.setEncoding('utf8').on('data', (text: string) => (reported += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  return new Promise<LoadResult>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => {
      if (code === 0) resolve(loadResult(reported));
      else reject(new Error(`The load client failed: ${complaint.trim() || `exit code ${code}`}`));
    });
  }).finally(gone);
}

/** Set-up puts it beside the origin. */
const loadProgram = (): string => path.join(path.dirname(requireTool('origin')), 'pitwall-load');

function commandOf(options: LoadOptions): Command {
  const { namespace, core } = options;
  const load: Command = [loadProgram(), ...argumentsOf(options)];
  const pinned: Command = core === undefined ? load : ['taskset', '-c', String(core), ...load];
  return namespace === undefined ? pinned : enterNamespace(namespace, ...pinned);
}

function argumentsOf(options: LoadOptions): string[] {
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

/** What `pitwall-load` (lab/origin/src/bin) prints: JSON lines. Times are wall clock, as in the origin's logs. */
type LoadLine = Opened | Answer | Failure | Progress | End;

interface Opened {
  readonly kind: 'opened';
  readonly connection: number;
  readonly openingAtUnixMs: number;
  /** Handshake done. */
  readonly atUnixMs: number;
}

interface Answer {
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

interface Failure {
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

interface End {
  readonly kind: 'end';
  readonly atUnixMs: number;
  readonly bytes: number;
  readonly answers: number;
  readonly failures: number;
  /** Of the client itself; null where the system does not tell. */
  readonly cpuSeconds: number | null;
}

export interface LoadResult {
  readonly opened: readonly Opened[];
  readonly answers: readonly Answer[];
  readonly failures: readonly Failure[];
  readonly progress: readonly Progress[];
  readonly end: End;
}

/** @throws Error when the client did not come to its end. */
export function loadResult(text: string): LoadResult {
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as LoadLine);
  const of = <K extends LoadLine['kind']>(kind: K) =>
    lines.filter((line): line is Extract<LoadLine, { kind: K }> => line.kind === kind);
  const [end] = of('end');
  if (!end) throw new Error(`The load client printed ${lines.length} lines, and no end`);
  return {
    opened: of('opened'),
    answers: of('answer'),
    failures: of('failure'),
    progress: of('progress'),
    end,
  };
}
