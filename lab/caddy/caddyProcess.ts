/** Runs one Caddy process: ready when its listeners are, and never left behind. */
import { spawn, type ChildProcess } from 'node:child_process';

/** A running Caddy. */
export interface CaddyProcess {
  readonly pid: number;
  /** Settles when the process is gone. */
  readonly gone: Promise<void>;
  signal(name: NodeJS.Signals): void;
}

const startTimeoutMs = 15_000;
/** Caddy's log line once every listener (also UDP) is open. */
const readyMessage = '"msg":"serving initial configuration"';
/** Enough for the last words of a process that failed. */
const keptLogCharacters = 16_384;

/** Starts `caddy run` and resolves when it listens; rejects with Caddy's own reason when it cannot. */
export function startProcess(
  [program, ...before]: readonly [string, ...string[]],
  configFile: string,
  homeFolder: string,
): Promise<CaddyProcess> {
  const child = spawn(program, [...before, 'run', '--adapter', 'caddyfile', '--config', configFile], {
    stdio: ['ignore', 'ignore', 'pipe'],
    // Caddy keeps state under $HOME unless told otherwise.
    env: { ...process.env, HOME: homeFolder, XDG_DATA_HOME: homeFolder, XDG_CONFIG_HOME: homeFolder },
  });
  const gone = new Promise<void>((resolve) => {
    child.once('exit', () => resolve());
    child.once('error', () => resolve());
  });
  return whenReady(child, program).then(() => ({
    pid: child.pid ?? 0,
    gone,
    signal: (name) => void child.kill(name),
  }));
}

function whenReady(child: ChildProcess, caddy: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = '';
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      reject(new Error(`Caddy did not start within ${startTimeoutMs / 1000} s: ${lastWords(log)}`));
    }, startTimeoutMs);
    // Read on after the start too: a full pipe would stop Caddy.
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      log = (log + chunk).slice(-keptLogCharacters);
      if (!log.includes(readyMessage)) return;
      clearTimeout(timer);
      resolve();
    });
    child.once('error', (cause) => {
      clearTimeout(timer);
      reject(new Error(`Caddy could not be run from ${caddy}: ${cause.message}`, { cause }));
    });
    child.once('exit', (code, signal) => {
      clearTimeout(timer);
      reject(new Error(`Caddy ended at its start (${signal ?? `exit code ${code}`}): ${lastWords(log)}`));
    });
  });
}

/** The line that says why: Caddy writes `Error: …` last, after its JSON log. */
function lastWords(log: string): string {
  const lines = log.split('\n').filter((line) => line !== '');
  return lines.findLast((line) => line.startsWith('Error:')) ?? lines.at(-1) ?? 'it said nothing';
}
