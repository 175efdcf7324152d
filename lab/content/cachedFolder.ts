/** Makes a folder once and keeps it in the cache under the hash of what it was made from. */
import { createHash } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rename, rm, stat } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { atProcessEnd } from '../../node/atProcessEnd.ts';

const keptMs = 30 * 24 * 3_600_000;
const finished = /^([\w-]+)-([\da-f]{12})$/;
/** Nothing is made for so long: whoever made it was killed. */
const makingMs = 24 * 3_600_000;

/** Where the content of this recipe is or will be: `<cache>/content/<name>-<hash>`; of another kind in a folder of its name. */
export function cachedPath(cacheFolder: string, name: string, recipe: unknown, kind = 'content'): string {
  const hash = createHash('sha256').update(JSON.stringify(recipe)).digest('hex').slice(0, 12);
  return join(cacheFolder, kind, `${name}-${hash}`);
}

/**
 * Returns the folder, after `make` has filled it if it was missing. It appears whole or not at all: it is made aside
 * and renamed; what a signal cuts off is removed. Of two processes that make it at once, the second throws its own away. Folders of
 * older recipes are removed after a month, what processes had begun that ended by `kill -9` after a day.
 */
export async function cachedFolder(
  path: string,
  make: (folder: string) => Promise<void>,
): Promise<{ readonly wasMade: boolean }> {
  if (existsSync(path)) return { wasMade: false };
  const parent = dirname(path);
  await mkdir(parent, { recursive: true });
  const temporary = await mkdtemp(`${path}.making-`);
  const stop = atProcessEnd(() => rmSync(temporary, { recursive: true, force: true }));
  try {
    await make(temporary);
    await renameUnlessThere(temporary, path);
  } finally {
    await rm(temporary, { recursive: true, force: true });
    stop();
  }
  await removeOlder(parent, path);
  return { wasMade: true };
}

async function renameUnlessThere(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!existsSync(to)) throw error;
  }
}

/**
 * Removes finished folders of this name that are older than a month: another checkout may still play a younger one,
 * and may still be making one.
 */
async function removeOlder(parent: string, path: string): Promise<void> {
  const [, name, current] = finished.exec(basename(path)) ?? [];
  for (const entry of await readdir(parent)) {
    const [beginning = '', making] = entry.split('.making-');
    const [, itsName, itsHash] = finished.exec(beginning) ?? [];
    if (itsName !== name || (itsHash === current && making === undefined)) continue;
    const age = await ageMs(join(parent, entry));
    if (age > (making === undefined ? keptMs : makingMs))
      await rm(join(parent, entry), { recursive: true, force: true });
  }
}

/** 0 for what somebody else has removed or renamed meanwhile. */
const ageMs = (path: string): Promise<number> =>
  stat(path).then(
    ({ mtimeMs }) => Date.now() - mtimeMs,
    () => 0,
  );
