import { renameSync, rmSync, writeFileSync } from 'node:fs';

/** Writes a file so that it is there whole or not at all, also when the process is ended in between. */
export function writeAtomically(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, text);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}
