import { mkdirSync } from 'node:fs';
import { formatFileError } from './formatFileError.ts';

/** Makes a folder and those above it, where they are not there yet. @throws Error in one sentence */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(formatFileError(folder, error), { cause: error });
  }
}
