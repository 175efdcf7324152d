import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { formatFileError, readPlainFile } from './files.ts';
import { printable } from './printable.ts';
import { formatCount } from '../src/shared/format.ts';
import { NO_LOG } from '../src/analysis/comparison/logFiles.ts';
import { failed, type Result } from '../src/shared/result.ts';
import { readSession } from '../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

/** The session files that were meant, in order; of a folder its own, of a campaign's folder those of its sessions. */
export interface FoundLogs {
  readonly files: readonly string[];
  /** A sentence for each folder of which something was left out. */
  readonly notes: readonly string[];
}

const PARTIAL = /\.partial\.json$/;

/** @throws Error in one sentence about what is no session file, or a folder without one */
export function logFilesIn(inputs: readonly string[]): FoundLogs {
  const found = inputs.map((input) =>
    isFolder(input) ? inFolder(input) : { files: [whole(input)], notes: [] },
  );
  const files = [...new Set(found.flatMap((each) => each.files))];
  return { files, notes: found.flatMap(({ notes }) => notes) };
}

/**
 * The same for commands that go on where a file is none: of folders their session files, and every other name as it is.
 * @throws Error in one sentence about a folder without a session file
 */
export function withFolders(inputs: readonly string[]): FoundLogs {
  const found = inputs.map((input) =>
    existsSync(input) && isFolder(input) ? inFolder(input) : { files: [input], notes: [] },
  );
  return { files: found.flatMap(({ files }) => files), notes: found.flatMap(({ notes }) => notes) };
}

/** The files that were found; on stderr what was left out. */
export function filesNoted({ files, notes }: FoundLogs): readonly string[] {
  for (const note of notes) process.stderr.write(printable(`pitwall: ${note}\n`));
  return files;
}

/** Why nothing is made of a file: a failed try left it. null for any other. */
export const partialFault = (file: string): string | null =>
  PARTIAL.test(file)
    ? 'This is the partial log of a failed try, not a complete session; it is not used.'
    : null;

function isFolder(input: string): boolean {
  try {
    return statSync(input).isDirectory();
  } catch (error) {
    throw new Error(formatFileError(input, error), { cause: error });
  }
}

function whole(file: string): string {
  const fault = partialFault(file);
  if (fault !== null) throw new Error(`${file}: ${fault}`);
  return file;
}

/** @throws Error in one sentence about a folder that has rows of metrics in place of session logs */
export function refuseRows(folder: string): void {
  if (existsSync(rowDirOf(folder)) && !existsSync(logDirOf(folder)))
    throw new Error(
      `${folder}: This folder has rows of metrics (${rowDirOf(folder)}/*.parquet) without session logs; read them as tables, for example with DuckDB.`,
    );
}

function inFolder(folder: string): FoundLogs {
  refuseRows(folder);
  const place = existsSync(logDirOf(folder)) ? logDirOf(folder) : folder;
  const names = readdirSync(place)
    .filter((name) => name.endsWith('.json') && (PARTIAL.test(name) || !NO_LOG.test(name)))
    .sort();
  const partial = names.filter((name) => PARTIAL.test(name)).length;
  const files = names.filter((name) => !PARTIAL.test(name)).map((name) => path.join(place, name));
  const left = `${formatCount(partial, 'partial log')} of failed tries (.partial.json)`;
  if (files.length === 0)
    throw new Error(
      `${place}: There is no session log in this folder${partial > 0 ? `, only ${left}` : ''}.`,
    );
  return { files, notes: partial > 0 ? [`${place}: ${left} ignored.`] : [] };
}

/** Where in its folder a campaign keeps the logs. */
export const logDirOf = (outDir: string): string => path.join(outDir, 'sessions');

/** Where in its folder a simulated campaign without logs keeps the rows of its sessions. */
export const rowDirOf = (outDir: string): string => path.join(outDir, 'rows');

/** A session file, or one sentence that says what is wrong with it. */
export async function readLog(file: string): Promise<Result<SessionLog>> {
  const text = await readPlainFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (typeof text === 'string') return readSession(text);
  return failed(text.code === undefined ? text.message : `cannot be read (${text.code}).`);
}

/** The same where something is made of the session: what a failed try left is refused. */
export async function readWholeLog(file: string): Promise<Result<SessionLog>> {
  const fault = partialFault(file);
  return fault === null ? await readLog(file) : failed(fault);
}
