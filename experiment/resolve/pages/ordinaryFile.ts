/** Reads files of others: a device or a pipe would never end, and a file may be larger than memory. */
import { constants } from 'node:fs';
import { open, type FileHandle } from 'node:fs/promises';
import path from 'node:path';
import { formatFileError } from '../../../node/files.ts';

export const BYTES_PER_MIB = 1024 * 1024;

interface Reading {
  /** What sentences call the file. */
  readonly name: string;
  readonly maxBytes: number;
}

/** The bytes of an ordinary file. @throws Error in one sentence where it is none, cannot be read or is too large */
export async function readOrdinaryFile(file: string, { name, maxBytes }: Reading): Promise<Buffer> {
  const handle = await openWithoutWaiting(file, name);
  try {
    const entry = await handle.stat();
    if (entry.isDirectory()) throw new Error(`${name}: It is a folder, not a file.`);
    if (!entry.isFile()) throw new Error(`${name}: It is no ordinary file.`);
    if (entry.size > maxBytes) throw tooLarge(name, maxBytes);
    const chunks: Buffer[] = [];
    // A file may say another size than it has (/proc), or grow meanwhile. `end` is the last byte that is read.
    for await (const chunk of handle.createReadStream({ start: 0, end: maxBytes, autoClose: false }))
      chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    if (bytes.length > maxBytes) throw tooLarge(name, maxBytes);
    return bytes;
  } finally {
    await handle.close();
  }
}

const tooLarge = (name: string, maxBytes: number): Error =>
  new Error(`${name}: It has more than ${Math.floor(maxBytes / BYTES_PER_MIB)} MiB.`);

/** To open a pipe for reading waits for somebody who writes, and a socket cannot be opened at all. */
async function openWithoutWaiting(file: string, name: string): Promise<FileHandle> {
  try {
    return await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
  } catch (error) {
    const isSpecial = ['ENXIO', 'ENODEV'].includes((error as NodeJS.ErrnoException).code ?? '');
    throw new Error(isSpecial ? `${name}: It is no ordinary file.` : formatFileError(name, error));
  }
}

/** Whether a path is a folder or lies below it. Both have their links resolved. */
export function isWithin(folder: string, file: string): boolean {
  const below = path.relative(folder, file);
  return below !== '..' && !below.startsWith(`..${path.sep}`) && !path.isAbsolute(below);
}
