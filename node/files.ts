import { readFile, access, stat } from 'node:fs/promises';
import { randomUUID } from 'node:crypto';
import { realpathSync, renameSync, rmSync, statSync, writeFileSync, mkdirSync, constants } from 'node:fs';
import path from 'node:path';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'There is no such file or folder.',
  EACCES: 'Permission denied.',
  EPERM: 'Permission denied.',
  EROFS: 'The file system is read-only.',
  ENOSPC: 'There is no space left on the disk.',
  EDQUOT: 'There is no space left (disk quota).',
  ENAMETOOLONG: 'The name is too long.',
  EEXIST: 'It is a file, not a folder.',
  EISDIR: 'It is a folder, not a file.',
  ENOTDIR: 'A part of its path is a file, not a folder.',
};

/** Why a file could not be read or written, in one sentence that names it. */
export function formatFileError(file: string, error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  return `${file}: ${REASONS[code ?? ''] ?? message}`;
}

/** What a shell hands over (`<(…)`, /dev/stdin) ends. Any other pipe or device may never do. */
const HANDED_OVER = /^\/(dev\/(fd\/|stdin$)|proc\/\w+\/fd\/)/;

/** The text of a file, as far as it is one. @throws the error of the system, or a sentence without the name of the file */
export async function readPlainFile(file: string): Promise<string> {
  await refuseDevice(file);
  return await readFile(file, 'utf8');
}

/** Reads the bytes of a file. @throws as `readPlainFile` */
export async function readPlainBytes(file: string): Promise<Buffer> {
  await refuseDevice(file);
  return await readFile(file);
}

async function refuseDevice(file: string): Promise<void> {
  const entry = await stat(file);
  if (!entry.isFile() && !entry.isDirectory() && !HANDED_OVER.test(file))
    throw new Error('It is a pipe or a device, not a file.');
}

/** Reads the text of a file. Rejects as `readPlainFile`. */
export type ReadFile = (file: string) => Promise<string>;

/** The text of a file. @throws Error in one sentence */
export const readText = (file: string, read: ReadFile = readPlainFile): Promise<string> =>
  read(file).catch((error: unknown) => {
    throw new Error(formatFileError(file, error));
  });

/** A reader with one text for each file: who asks again receives what was read first, also where the file was written anew since. */
export function readerOnce(read: ReadFile = readPlainFile): ReadFile {
  const texts = new Map<string, Promise<string>>();
  return (file) => {
    const place = path.resolve(file);
    const text = texts.get(place) ?? read(file);
    texts.set(place, text);
    return text;
  };
}

/**
 * Writes a file so that it is there whole or not at all, also when the process is ended in between. What is no ordinary
 * file (`/dev/null`, a pipe) is written to and never replaced, and a link stays a link. @throws Error in one sentence
 */
export function writeAtomically(file: string, text: string | Uint8Array): void {
  try {
    const entry = statSync(file, { throwIfNoEntry: false });
    if (entry && !entry.isFile()) writeFileSync(file, text);
    else moveInto(entry ? realpathSync(file) : file, text);
  } catch (error) {
    throw new Error(formatFileError(file, error), { cause: error });
  }
}

function moveInto(file: string, text: string | Uint8Array): void {
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

/** Makes a folder and those above it, where they are not there yet. @throws Error in one sentence */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    throw new Error(formatFileError(folder, error), { cause: error });
  }
}

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

const CODES = /\b(?:ENOSPC|EDQUOT)\b/;

/** Whether an error, or one that caused it, says that a disk is full or a quota reached. Words count, too: those of other programs have no code. */
export function isNoSpace(error: unknown): boolean {
  for (let each = error; each instanceof Error; each = each.cause)
    if (CODES.test((each as NodeJS.ErrnoException).code ?? '') || saysNoSpace(each.message)) return true;
  return false;
}

/** In the words of the system or of `formatFileError`: what made a sentence of an error may have lost its code. */
export const saysNoSpace = (text: string): boolean =>
  CODES.test(text) || [REASONS['ENOSPC']!, REASONS['EDQUOT']!].some((reason) => text.includes(reason));

/** The time of day in UTC to the second, as a part of a file's name: `2026-11-29T08-30-00`. */
export const timeStamp = (): string => new Date().toISOString().slice(0, 19).replaceAll(':', '-');
