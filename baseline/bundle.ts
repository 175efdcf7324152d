import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';

/** Text files by their paths, with `/` between folders, in the order of their paths. */
export type Files = Readonly<Record<string, string>>;

const DATA = path.join(import.meta.dirname, 'data');
const fileOf = (bundle: string): string => path.join(DATA, `${bundle}.json.br`);

export const hasBundle = (bundle: string): boolean => existsSync(fileOf(bundle));

export const readBundle = (bundle: string): Files =>
  JSON.parse(brotliDecompressSync(readFileSync(fileOf(bundle))).toString()) as Files;

/** Returns the size of what it wrote. */
export function writeBundle(bundle: string, files: Files): number {
  const names = Object.keys(files).sort();
  const text = JSON.stringify(Object.fromEntries(names.map((name) => [name, files[name]])));
  const packed = brotliCompressSync(text, {
    params: {
      [constants.BROTLI_PARAM_QUALITY]: 9,
      // Sessions of one kind repeat each other: the window reaches over many.
      [constants.BROTLI_PARAM_LGWIN]: 24,
      [constants.BROTLI_PARAM_SIZE_HINT]: Buffer.byteLength(text),
    },
  });
  mkdirSync(DATA, { recursive: true });
  writeFileSync(fileOf(bundle), packed);
  return packed.length;
}

export function unpack(files: Files, folder: string): void {
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
}

/** The files whose paths begin with `folder`, by what follows it. */
export const filesUnder = (files: Files, folder: string): Files =>
  Object.fromEntries(
    Object.entries(files).flatMap(([name, text]) =>
      name.startsWith(`${folder}/`) ? [[name.slice(folder.length + 1), text]] : [],
    ),
  );

/** The paths of all files in a folder, relative to it, sorted. */
export function pathsIn(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)).split(path.sep).join('/'))
    .sort();
}
