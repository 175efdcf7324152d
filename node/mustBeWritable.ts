import { constants } from 'node:fs';
import { access, stat } from 'node:fs/promises';
import path from 'node:path';
import { formatFileError } from './formatFileError.ts';

/** Says before hours of work that the file of an option, if there is one, cannot be written. @throws Error in one sentence */
export async function mustBeWritable(option: string, file: string | undefined): Promise<void> {
  if (file === undefined) return;
  if (file === '') throw new Error(`${option} takes the name of a file.`);
  const entry = await stat(file).catch(() => null);
  if (entry?.isDirectory()) throw new Error(`${file}: It is a folder, not a file.`);
  const place = entry ? file : path.dirname(file);
  await access(place, constants.W_OK).catch((error: unknown) => {
    throw new Error(formatFileError(place, error));
  });
}
