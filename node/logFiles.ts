import { existsSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { formatFileError, readPlainFile } from './files.ts';
import { warn } from './print.ts';
import { formatCount } from '../src/shared/format.ts';
import { NO_LOG } from '../src/analysis/comparison/logFiles.ts';
import { failed, ok, type Result } from '../src/shared/result.ts';
import { logInSessionPage } from '../src/export/sessionPage.ts';
import { readSession } from '../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../src/telemetry/schema/sessionLog.ts';

/** Session files that inputs name, in order. A folder names its own files, a campaign's folder those of its sessions. */
interface FoundLogs {
  readonly files: readonly string[];
  /** One sentence for each folder of which a file was left out. */
  readonly notes: readonly string[];
}

const PARTIAL = /\.partial\.json$/;

/** Finds the session files that inputs name. @throws Error in one sentence about no session file, or a folder without one */
export function logFilesIn(inputs: readonly string[]): FoundLogs {
  const found = inputs.map((input) =>
    isFolder(input) ? inFolder(input) : { files: [whole(input)], notes: [] },
  );
  const files = [...new Set(found.flatMap((each) => each.files))];
  return { files, notes: found.flatMap(({ notes }) => notes) };
}

/**
 * Replaces folders by their session files and keeps every other name as it is, for commands that go on where a file is no
 * session file.
 * @throws Error in one sentence about a folder without a session file
 */
export function withFolders(inputs: readonly string[]): FoundLogs {
  const found = inputs.map((input) =>
    existsSync(input) && isFolder(input) ? inFolder(input) : { files: [input], notes: [] },
  );
  return { files: found.flatMap(({ files }) => files), notes: found.flatMap(({ notes }) => notes) };
}

/** Returns the files that were found, and writes to stderr what was left out. */
export function filesNoted({ files, notes }: FoundLogs): readonly string[] {
  notes.forEach(warn);
  return files;
}

/** Returns a sentence for a file that a failed try left, which is not used; null for any other file. */
const partialFault = (file: string): string | null =>
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

/** Refuses a folder that has rows of metrics in place of session logs. @throws Error in one sentence about it */
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

/** Returns the folder below a campaign's folder that has the session logs. */
export const logDirOf = (outDir: string): string => path.join(outDir, 'sessions');

/** Returns the folder below the folder of a simulated campaign without logs that has the rows of its sessions. */
export const rowDirOf = (outDir: string): string => path.join(outDir, 'rows');

/** Reads a session file, or a session's page; an error is one sentence that says what is wrong with it. */
export async function readLog(file: string): Promise<Result<SessionLog>> {
  const text = await readPlainFile(file).catch((error: NodeJS.ErrnoException) => error);
  if (typeof text !== 'string')
    return failed(text.code === undefined ? text.message : `cannot be read (${text.code}).`);
  const inPage = logInSessionPage(text);
  if (inPage === null) return readSession(text);
  const log = inPage.ok ? unpack(inPage.value) : inPage;
  return log.ok ? readSession(log.value) : log;
}

/** A log that is larger cannot be one string. */
const MAX_LOG_BYTES = 500e6;

function unpack(base64: string): Result<string> {
  try {
    return ok(gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_LOG_BYTES }).toString('utf8'));
  } catch (error) {
    return failed(`The session in this page cannot be unpacked (${(error as Error).message}).`);
  }
}

/** Reads a session file for a result, and refuses one that a failed try left; an error is one sentence. */
export async function readWholeLog(file: string): Promise<Result<SessionLog>> {
  const fault = partialFault(file);
  return fault === null ? await readLog(file) : failed(fault);
}
