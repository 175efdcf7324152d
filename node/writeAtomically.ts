import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { formatFileError } from './formatFileError.ts';

/**
 * Writes a file so that it is there whole or not at all, also when the process is ended in between. What is no ordinary
 * file (`/dev/null`, a pipe) is written to and never replaced, and a link stays a link. @throws Error in one sentence
 */
export function writeAtomically(file: string, text: string): void {
  try {
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry && !entry.isFile()) writeFileSync(file, text);
    else moveInto(entry ? realpathSync(file) : file, text);
  } catch (error) {
    throw new Error(formatFileError(file, error), { cause: error });
  }
}

function moveInto(file: string, text: string): void {
  // Not by the process id: two containers that share a folder may have the same one.
  const temporary = `${file}.${randomUUID()}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
