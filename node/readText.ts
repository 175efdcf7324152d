import { readFile } from 'node:fs/promises';
import { formatFileError } from './formatFileError.ts';

/** The text of a file. @throws Error in one sentence */
export const readText = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });
