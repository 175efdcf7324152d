import { existsSync } from 'node:fs';
import { startingFile } from '../../plan/startingFile.ts';
import { formatFileError } from '../../../node/formatFileError.ts';
import { writeAtomically } from '../../../node/writeAtomically.ts';

/** Writes a campaign to begin with. @throws Error in one sentence when the file is there already, or cannot be written */
export function writeStartingFile(file: string): void {
  if (existsSync(file)) throw new Error(`${file}: The file exists. Name another file, or remove it.`);
  try {
    writeAtomically(file, `${JSON.stringify(startingFile, null, 2)}\n`);
  } catch (error) {
    throw new Error(formatFileError(file, error));
  }
}
