/** Runs one server process: ready when its listeners are, and never left behind. */
import { spawn, type ChildProcess } from 'node:child_process';
import { enterNamespace, type Command } from '../namespaces.ts';

/** How to start a server, and how to know that it listens. */
interface ServerCommand {
  /** The name that people know it by. */
  readonly name: string;
  readonly program: string;
  readonly arguments: readonly string[];
  /** Linux network namespace to run in. */
  readonly namespace?: string | undefined;
  /** Added to the environment of this process. */
  readonly environment?: Readonly<Record<string, string>>;
  /** What it says once every listener (also UDP) is open. */
  readonly readyMessage: string;
  /** Begins the line in which it says why it ends. */
  readonly complaint: string;
  /** Is given the process as soon as there is one, before it listens: a watchdog has to know of it from the start. Absent: none. */
  readonly onSpawned?: (pid: number) => void;
}

/** A running server. */
export interface ServerProcess {
  readonly pid: number;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  signal(name: NodeJS.Signals): void;
}

const startTimeoutMs = 15_000;
/** Enough for the last words of a process that failed. */
const keptLogCharacters = 16_384;

/** Starts the server and resolves when it listens; rejects with its own reason when it cannot. */
export function startServer(command: ServerCommand): Promise<ServerProcess> {
  const [program, ...args] = inNamespace(command);
  const child = spawn(program, args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...command.environment },
  });
  if (child.pid !== undefined) command.onSpawned?.(child.pid);
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return whenReady(child, command).then(() => ({
    pid: child.pid ?? 0,
    gone,
    signal: (name) => void child.kill(name),
  }));
}

const inNamespace = ({ namespace, program, arguments: args }: ServerCommand): Command =>
  namespace ? enterNamespace(namespace, program, ...args) : [program, ...args];

function whenReady(child: ChildProcess, command: ServerCommand): Promise<void> {
  const { name, program, readyMessage, complaint } = command;
  return new Promise((resolve, reject) => {
    let log = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(
        new Error(`${name} did not start within ${startTimeoutMs / 1000} s: ${lastLines(log, complaint)}`),
      );
    }, startTimeoutMs);
    // Read on after the start too: a full pipe would stop the server.
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        log = (log + chunk).slice(-keptLogCharacters);
        if (!log.includes(readyMessage)) return;
        clearTimeout(timer);
        resolve();
      });
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`${name} could not be run from ${program}: ${cause.message}`, { cause }));
    });
    child.once('close', (code, signal) => {
      clearTimeout(timer);
      const end = signal ?? `exit code ${code}`;
      reject(new Error(`${name} ended at its start (${end}): ${lastLines(log, complaint)}`));
    });
  });
}

/** The line that says why, which comes after everything else that was logged. */
function lastLines(log: string, complaint: string): string {
  const lines = log.split('\n').filter((line) => line !== '');
  return lines.findLast((line) => line.startsWith(complaint)) ?? lines.at(-1) ?? 'it said nothing';
}
