import { readFile } from 'node:fs/promises';
import { sentenceOf } from './sentenceOf.ts';

/** The text of a file. @throws Error in one sentence */
export const textOf = (file: string): Promise<string> =>
  readFile(file, 'utf8').catch((error: unknown) => {
    throw new Error(sentenceOf(file, error));
  });
