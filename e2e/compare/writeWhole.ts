import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';

/** Written beside and moved into place: a killed run leaves whole files only. */
export async function writeWhole(file: string, text: string): Promise<void> {
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(`${file}.part`, text);
  await rename(`${file}.part`, file);
}
