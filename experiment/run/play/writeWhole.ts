import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Written beside and moved into place: a killed run leaves whole files only, and a full disk no empty ones. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  const part = `${file}.part`;
  try {
    await writeFile(part, text);
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
}
