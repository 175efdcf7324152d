/** What of a built page is served: one walk that both the hash and the copy are made from. */
import { createHash } from 'node:crypto';
import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { BYTES_PER_MIB, isWithin, readOrdinaryFile } from './ordinaryFile.ts';

/** Far above the page of this checkout, which has about 60 files and 12 MB. */
const MAX_ENTRIES = 10_000;
const MAX_PAGE_BYTES = 1024 * BYTES_PER_MIB;

interface PageFolder {
  /** What sentences call the page. */
  readonly page: string;
  readonly folder: string;
}

/** A file as it is served, with its links resolved. */
interface ServedFile {
  /** Below the folder, with slashes. */
  readonly name: string;
  readonly file: string;
}

/**
 * SHA-256 of all files of a page, by name. Links are followed inside the folder, hidden files are left out, as no origin serves
 * them. @throws Error in one sentence where a link leaves the folder, or something is no ordinary file
 */
export const hashOfPage = (from: PageFolder): Promise<string> => readPage(from, () => Promise.resolve());

/**
 * Copies the files of a page, links resolved, and nothing else. @throws Error in one sentence where they do not have this hash:
 * somebody builds the page meanwhile
 */
export async function copyPage(from: PageFolder, into: string, sha256: string): Promise<void> {
  const copied = await readPage(from, async (name, bytes) => {
    const file = path.join(into, ...name.split('/'));
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, bytes);
  });
  if (copied !== sha256)
    throw new Error(
      `${from.page}: This page was written anew meanwhile. Start again when its build has ended, with another --out.`,
    );
}

async function readPage(
  { page, folder }: PageFolder,
  take: (name: string, bytes: Buffer) => Promise<void>,
): Promise<string> {
  const hash = createHash('sha256');
  let leftBytes = MAX_PAGE_BYTES;
  for (const { name, file } of await listServedFiles({ page, folder })) {
    const bytes = await readOrdinaryFile(file, { name: `${page}: ${name}`, maxBytes: leftBytes });
    leftBytes -= bytes.length;
    // With its length: of two files, none may pass for a part of the other.
    hash.update(`${name}\0${bytes.length}\0`).update(bytes);
    await take(name, bytes);
  }
  return hash.digest('hex');
}

/** In the order of their names. */
async function listServedFiles({ page, folder }: PageFolder): Promise<ServedFile[]> {
  const root = await realpath(folder);
  const walk: Walk = { page, root, found: [], entries: 0 };
  await lookIn(walk, { below: '', folder: root, above: [root] });
  return walk.found.sort((a, b) => (a.name < b.name ? -1 : 1));
}

interface Walk {
  readonly page: string;
  readonly root: string;
  readonly found: ServedFile[];
  /** Files and folders so far. Folders with links to each other have more paths than anybody can read. */
  entries: number;
}

/** A folder of a page, with its links resolved; `above` are those that lead to it, and itself. */
interface Place {
  readonly below: string;
  readonly folder: string;
  readonly above: readonly string[];
}

async function lookIn(walk: Walk, { below, folder, above }: Place): Promise<void> {
  for (const entry of await readdir(folder)) {
    if (entry.startsWith('.')) continue;
    if ((walk.entries += 1) > MAX_ENTRIES)
      throw new Error(`${walk.page}: It has more than ${MAX_ENTRIES} files and folders.`);
    const name = below === '' ? entry : `${below}/${entry}`;
    const file = await targetOf(walk, name, path.join(folder, entry));
    const kind = await stat(file);
    if (kind.isDirectory()) {
      if (above.includes(file)) throw new Error(`${walk.page}: ${name} is a link to a folder above it.`);
      await lookIn(walk, { below: name, folder: file, above: [...above, file] });
      continue;
    }
    if (!kind.isFile()) throw new Error(`${walk.page}: ${name} is no ordinary file.`);
    walk.found.push({ name, file });
  }
}

/** Where a name leads. @throws Error in one sentence where an origin would not serve it */
async function targetOf({ page, root }: Walk, name: string, given: string): Promise<string> {
  const file = await realpath(given).catch(() => null);
  if (file === null) throw new Error(`${page}: ${name} is a link that leads nowhere.`);
  if (!isWithin(root, file))
    throw new Error(`${page}: ${name} is a link that leaves the page. Name a copy without links (cp -rL).`);
  if (
    path
      .relative(root, file)
      .split(path.sep)
      .some((part) => part.startsWith('.'))
  )
    throw new Error(`${page}: ${name} is a link to a hidden file.`);
  return file;
}
