import { accessSync, constants, statSync } from 'node:fs';
import { tmpdir } from 'node:os';

/** Greatest length of a Unix socket's path (unix(7)). Chromium 156 makes SOCKET (chrome/browser/process_singleton_posix.cc). */
const SOCKET_PATH_BYTES = 107;
const SOCKET = '/org.chromium.Chromium.XXXXXX/SingletonSocket';

/**
 * Says what is wrong with the folder for temporary files, before anything is started in it; null when all is well.
 * `browserBelow`: the path, from there, of the folder that browsers are given for theirs; null where none is started.
 */
export function temporaryFolderFault(browserBelow: string | null, folder = tmpdir()): string | null {
  const why = faultOf(folder) ?? (browserBelow === null ? null : faultOfLength(folder, browserBelow));
  return why === null ? null : `${folder}: ${why}; set TMPDIR to another folder.`;
}

function faultOf(folder: string): string | null {
  const entry = statSync(folder, { throwIfNoEntry: false });
  if (entry === undefined) return 'The folder for temporary files does not exist';
  if (!entry.isDirectory()) return 'The folder for temporary files is a file';
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return null;
  } catch {
    return 'The folder for temporary files is not writable';
  }
}

/** Whether the length of the socket's path matters: on Linux, too long a path has ended browsers at their start. */
const hasLimit = process.platform === 'linux';

function faultOfLength(folder: string, browserBelow: string): string | null {
  const bytes = Buffer.byteLength(folder);
  const max = SOCKET_PATH_BYTES - SOCKET.length - browserBelow.length;
  if (!hasLimit || bytes <= max) return null;
  return `The path of the folder for temporary files has ${bytes} bytes; with the socket of a browser below it, at most ${max} are allowed`;
}

/** Checks the folder for temporary files. @throws Error in one sentence about what is wrong with it */
export function requireTemporaryFolder(browserBelow: string | null): void {
  const fault = temporaryFolderFault(browserBelow);
  if (fault !== null) throw new Error(fault);
}
