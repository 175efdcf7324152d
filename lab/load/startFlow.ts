import { spawn, type ChildProcess } from 'node:child_process';
import { createInterface } from 'node:readline';
import { enterNamespace } from '../namespaces.ts';
import { bytesBySecond, type Received } from './bytesBySecond.ts';
import { loadArguments, loadProgram, type LoadLine, type LoadOptions } from './loadProgram.ts';

export interface FlowOptions extends Pick<LoadOptions, 'address' | 'host' | 'path' | 'windowBytes'> {
  readonly protocol: 'h2' | 'h3';
  /** Linux network namespace of the client. */
  readonly namespace: string;
  /** Time at which the client closes its connection by itself. */
  readonly untilUnixMs: number;
}

/** A download without end: one connection of a client of its own. */
export interface Flow {
  /** Settles with a sentence when the client cannot run: the laboratory failed, not the network. */
  readonly failed: Promise<string>;
  /** Returns what came until now, by seconds from `fromUnixMs` on. */
  record(fromUnixMs: number): FlowRecord;
  /** Ends the client. Safe to call twice. */
  stop(): Promise<void>;
}

interface FlowRecord {
  readonly startedAtUnixMs: number;
  /** Time at which the first connection was opened; null: none was. */
  readonly openedAtUnixMs: number | null;
  /** Time at which the flow ended; the present time for a flow that still runs. */
  readonly endedAtUnixMs: number;
  readonly interruptions: readonly { readonly atUnixMs: number; readonly why: string }[];
  readonly bytesBySecond: readonly number[];
}

const PROGRESS_MS = 250;
/** Time after which a client whose connection was lost tries again, as programs that download do. */
const AGAIN_MS = 1000;

/** Starts a flow. Its client ends with this process, in whatever way this process ends. */
export function startFlow(options: FlowOptions): Flow {
  const startedAtUnixMs = Date.now();
  const reported: Reported = {
    openedAtUnixMs: null,
    interruptions: [],
    received: [],
    ofEarlier: 0,
    lastBytesUnixMs: startedAtUnixMs,
  };
  let [endedAtUnixMs, isStopped]: [number | null, boolean] = [null, false];
  let client: Client | null = null;
  let again: NodeJS.Timeout | undefined;
  let tellFailed = (_sentence: string): void => {};
  const failed = new Promise<string>((tell) => (tellFailed = tell));
  const run = (): void => {
    client = startClient(options, reported);
    void client.gone.then((complaint) => {
      client = null;
      if (isStopped) return;
      if (complaint !== null) return tellFailed(`A flow beside the viewer ended: ${complaint}`);
      // A client of QUIC waits a moment when it has closed its connection.
      if (Date.now() + AGAIN_MS >= options.untilUnixMs)
        endedAtUnixMs = Math.max(options.untilUnixMs, reported.lastBytesUnixMs);
      else again = setTimeout(run, AGAIN_MS);
    });
  };
  run();
  return {
    failed,
    record(fromUnixMs) {
      const untilUnixMs = endedAtUnixMs ?? Date.now();
      return {
        startedAtUnixMs,
        endedAtUnixMs: untilUnixMs,
        openedAtUnixMs: reported.openedAtUnixMs,
        interruptions: [...reported.interruptions],
        bytesBySecond: bytesBySecond(reported.received, { fromUnixMs, untilUnixMs }),
      };
    },
    async stop() {
      endedAtUnixMs ??= Date.now();
      isStopped = true;
      clearTimeout(again);
      client?.process.kill('SIGKILL');
      await client?.gone;
    },
  };
}

/** Facts that the clients of a flow have reported. */
interface Reported {
  openedAtUnixMs: number | null;
  readonly interruptions: { atUnixMs: number; why: string }[];
  readonly received: Received[];
  /** Bytes of all clients before the present one. */
  ofEarlier: number;
  /** Time at which the last bytes came. */
  lastBytesUnixMs: number;
}

interface Client {
  readonly process: ChildProcess;
  /** Settles when the client has ended: null, or why it could not run. */
  readonly gone: Promise<string | null>;
}

function startClient({ namespace, untilUnixMs, ...options }: FlowOptions, reported: Reported): Client {
  const seconds = Math.max(0, (untilUnixMs - Date.now()) / 1000);
  const asked = { ...options, seconds, connections: 1, progressMs: PROGRESS_MS };
  const load = [loadProgram(), ...loadArguments(asked)];
  const [program, ...args] = enterNamespace(namespace, 'setpriv', '--pdeathsig', 'KILL', ...load);
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const { ofEarlier } = reported;
  createInterface({ input: child.stdout }).on('line', (line) => {
    // The last line of a client that was killed may be cut off.
    if (line.endsWith('}')) take(reported, JSON.parse(line) as LoadLine, ofEarlier);
  });
  let complaint = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaint += text));
  const gone = new Promise<string | null>((resolve) => {
    child.once('error', ({ message }) => resolve(message));
    child.once('close', (code, signal) =>
      resolve(code === 0 ? null : complaint.trim() || (signal ?? `exit code ${code}`)),
    );
  });
  return { process: child, gone };
}

/** Adds a line of a client to the report. `ofEarlier`: bytes of the clients before this one. */
function take(reported: Reported, line: LoadLine, ofEarlier: number): void {
  if (line.kind === 'opened') reported.openedAtUnixMs ??= line.atUnixMs;
  if (line.kind === 'failure') reported.interruptions.push({ atUnixMs: line.atUnixMs, why: line.why });
  if (line.kind !== 'progress' && line.kind !== 'end') return;
  if (ofEarlier + line.bytes > reported.ofEarlier) reported.lastBytesUnixMs = line.atUnixMs;
  reported.ofEarlier = ofEarlier + line.bytes;
  reported.received.push({ atUnixMs: line.atUnixMs, bytes: reported.ofEarlier });
}
