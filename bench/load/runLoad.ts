import { spawn } from 'node:child_process';
import {
  loadArguments,
  loadProgram,
  type Answer,
  type End,
  type Failure,
  type LoadLine,
  type LoadOptions,
  type Opened,
  type Progress,
} from '../../lab/load/loadProgram.ts';
import { enterNamespace, type Command } from '../../lab/namespaces.ts';
import { onLeaving } from './bulkFolder.ts';

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

function commandOf(options: LoadOptions): Command {
  const { namespace, core } = options;
  const load: Command = [loadProgram(), ...loadArguments(options)];
  const pinned: Command = core === undefined ? load : ['taskset', '-c', String(core), ...load];
  return namespace === undefined ? pinned : enterNamespace(namespace, ...pinned);
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
