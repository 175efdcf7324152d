import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BYTES_PER_MIB, isWithin, readOrdinaryFile } from './ordinaryFile.ts';
import { LIBRARY_NAMES, libraries, type PlayerLibrary } from './libraries.ts';
import { fileInTarball } from './tarball.ts';
import { cachedFolder, cachedPath } from '../../../lab/content/cachedFolder.ts';
import { formatFileError } from '../../../node/files.ts';
import { isObject } from '../../../src/shared/jsonObject.ts';

/** A build of a player that a page can be built with. */
export interface PlayerBuild {
  readonly library: PlayerLibrary;
  /** One file of JavaScript, as it was when it was found: an ES module, or UMD. */
  readonly source: string;
  readonly isModule: boolean;
  /** Version, as the source has it. */
  readonly version: string;
  /** SHA-256 of the file, hexadecimal. */
  readonly sha256: string;
}

/** Maximum size of a build: one with everything, not minified and with its map inside, has about 12 MB. */
const MAX_BUILD_BYTES = 64 * BYTES_PER_MIB;
const MAX_TARBALL_BYTES = 256 * BYTES_PER_MIB;

const NPM = /^([\w.-]+)@(.+)$/;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const TARBALL = /\.(?:tgz|tar\.gz)$/;

/** Returns whether a text can only be a build of a player: a version of npm, a tarball, a file or a folder of its package. */
export const isPlayerBuild = (text: string, folder: string): boolean =>
  versionOfNpm(text) !== null ||
  TARBALL.test(text) ||
  /\.[cm]?js$/.test(text) ||
  existsSync(path.resolve(folder, text, 'package.json'));

/** A library and a version of it, as npm has them; null: the text names none of the libraries. */
function versionOfNpm(text: string): { library: PlayerLibrary; version: string } | null {
  const [, name, version = ''] = NPM.exec(text) ?? [];
  const library = libraries.find(({ packageName }) => packageName === name);
  return library ? { library, version } : null;
}

/**
 * Finds a build of a player: `dashjs@5.2.1` (fetched once by the user's npm), a tarball as `npm pack` writes it, the folder of
 * the package, or its JavaScript file. Paths are relative to `folder`. Of a package only its one file of JavaScript is read,
 * which must be inside of it, and nothing is unpacked.
 *
 * @throws Error in one sentence that names the text
 */
export async function findPlayerBuild(
  text: string,
  { folder, cacheFolder }: { readonly folder: string; readonly cacheFolder: string },
): Promise<PlayerBuild> {
  const named = versionOfNpm(text);
  if (named) return buildInTarball(text, await downloadBuild(named, cacheFolder));
  const given = path.resolve(folder, text);
  const entry = statSync(given, { throwIfNoEntry: false });
  if (!entry) throw new Error(`${text}: There is no such file or folder.`);
  if (entry.isDirectory()) return buildInFolder(text, given);
  if (TARBALL.test(given)) return buildInTarball(text, given);
  return readBuild(text, await readOrdinaryFile(given, { name: text, maxBytes: MAX_BUILD_BYTES }));
}

/**
 * Returns the library that a text names a build of, without fetching it; null: it is a page. Paths are relative to `folder`.
 *
 * @throws Error in one sentence that names the text
 */
export async function libraryOf(text: string, folder: string): Promise<PlayerLibrary | null> {
  const named = versionOfNpm(text);
  if (named) return named.library;
  if (!isPlayerBuild(text, folder) || existsSync(path.resolve(folder, text, 'index.html'))) return null;
  return (await findPlayerBuild(text, { folder, cacheFolder: '' })).library;
}

/** Downloads the tarball of an exact version: what a range or a tag names today may be another build tomorrow. */
async function downloadBuild(
  { library, version }: { readonly library: PlayerLibrary; readonly version: string },
  cacheFolder: string,
): Promise<string> {
  const { packageName } = library;
  const spec = `${packageName}@${version}`;
  if (!EXACT.test(version))
    throw new Error(`${spec}: Name one version, as in ${packageName}@${library.exampleVersion}.`);
  mustBeNewEnough(spec, library, version);
  const place = cachedPath(cacheFolder, packageName, [spec, TARBALL_FILE], 'pages');
  await cachedFolder(place, async (into) => {
    const temporary = await mkdtemp(path.join(tmpdir(), 'pitwall-npm-'));
    try {
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      // With --silent npm would not say why, either.
      const quiet = ['--loglevel', 'error', '--ignore-scripts'];
      await run(spec, npm, ['pack', spec, ...quiet, '--pack-destination', temporary]);
      const [tarball] = await readdir(temporary);
      if (tarball === undefined) throw new Error(`${spec}: npm pack wrote no file.`);
      await copyFile(path.join(temporary, tarball), path.join(into, TARBALL_FILE));
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return path.join(place, TARBALL_FILE);
}

const TARBALL_FILE = 'package.tgz';

/** @throws Error in one sentence with the first line of the program that gives a reason */
function run(text: string, program: string, args: readonly string[]): Promise<void> {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  let said = '';
  child.stderr.on('data', (chunk: Buffer) => void (said = `${said}${String(chunk)}`.slice(-4000)));
  return new Promise((resolve, reject) => {
    child.once('error', (error) =>
      reject(new Error(`${text}: ${program} cannot be started (${error.message}).`)),
    );
    child.once('close', (code) => {
      if (code === 0) return resolve();
      reject(new Error(`${text}: ${program} failed: ${reasonIn(said) ?? `exit code ${code}`}`));
    });
  });
}

/** Finds the reason in what npm says: `npm error notarget No matching version …`, after a line with the code alone. */
function reasonIn(said: string): string | undefined {
  return said
    .split('\n')
    .filter(
      (line) =>
        line.trim() !== '' && !/^npm (?:error|ERR!) (?:code |errno |syscall |A complete log)/.test(line),
    )
    .map((line) => line.replace(/^npm (?:error|ERR!) (?:(?:notarget|network|\d{3}) )?/, ''))[0];
}

/** Reads a file of a package, by its name below the package with slashes; null where it is missing. */
type ReadFile = (name: string, maxBytes: number) => Promise<Buffer | null>;

async function buildInFolder(text: string, folder: string): Promise<PlayerBuild> {
  const root = await realpath(folder);
  return buildInPackage(text, async (name, maxBytes) => {
    const file = await realpath(path.join(root, name)).catch((error: NodeJS.ErrnoException) => {
      if (['ENOENT', 'ENOTDIR', 'ELOOP'].includes(error.code ?? '')) return null;
      throw new Error(formatFileError(`${text}: ${name}`, error));
    });
    if (file === null) return null;
    if (!isWithin(root, file))
      throw new Error(`${text}: ${name} is a link that leaves the package. Name the file itself.`);
    return readOrdinaryFile(file, { name: `${text}: ${name}`, maxBytes });
  });
}

async function buildInTarball(text: string, file: string): Promise<PlayerBuild> {
  const tarball = await readOrdinaryFile(file, { name: text, maxBytes: MAX_TARBALL_BYTES });
  return buildInPackage(text, (name, maxBytes) =>
    fileInTarball(tarball, { name: `package/${name}`, maxBytes }).catch((error: Error) => {
      throw new Error(`${text}: It cannot be unpacked: ${error.message}.`);
    }),
  );
}

/** Finds the build that a package's `exports` name for `import`. */
async function buildInPackage(text: string, read: ReadFile): Promise<PlayerBuild> {
  const about = await read('package.json', BYTES_PER_MIB);
  if (about === null)
    throw new Error(`${text}: It has no package.json, so it is no package of ${LIBRARY_NAMES}.`);
  const { name, exports } = parsed(text, about.toString('utf8'));
  const library = libraries.find(({ packageName }) => packageName === name);
  if (!library) throw new Error(`${text}: It is ${formatPackage(name)}, and none of ${LIBRARY_NAMES}.`);
  const file = insideOf(text, importedFile(exports) ?? library.usualFile);
  const bytes = await read(file, MAX_BUILD_BYTES);
  if (bytes !== null) return readBuild(text, bytes);
  throw new Error(`${text}: ${file} is missing: build ${library.label} first, or name its file.`);
}

const formatPackage = (name: unknown): string =>
  typeof name === 'string' ? `the package ${name}` : 'a package without a name';

function parsed(text: string, json: string): Readonly<Record<string, unknown>> {
  let about: unknown;
  try {
    about = JSON.parse(json);
  } catch {
    throw new Error(`${text}: Its package.json is not valid JSON.`);
  }
  if (!isObject(about)) throw new Error(`${text}: Its package.json is no JSON object.`);
  return about;
}

/** Conditions that hold for a browser which imports a module. The first one in a package's order counts, as for Node. */
const CONDITIONS = ['import', 'module', 'default'];
/** Maximum depth of nested `exports`: dash.js nests two, the path and the condition. */
const MAX_DEPTH = 8;

/** Returns the file that `exports` name for their main path, however their conditions are nested; null where they name none. */
function importedFile(exports: unknown, depth = 0): string | null {
  if (typeof exports === 'string') return exports;
  if (!isObject(exports) || depth > MAX_DEPTH) return null;
  for (const [key, target] of Object.entries(exports)) {
    const isMain = depth === 0 && key === '.';
    const file = isMain || CONDITIONS.includes(key) ? importedFile(target, depth + 1) : null;
    if (file !== null) return file;
  }
  return null;
}

/** @throws Error in one sentence where a package names a file outside of it */
function insideOf(text: string, named: string): string {
  const file = path.posix.normalize(named.replaceAll('\\', '/'));
  if (!path.posix.isAbsolute(file) && !file.startsWith('../') && file !== '..' && !file.includes('\0'))
    return file;
  throw new Error(`${text}: Its exports name ${JSON.stringify(named)}, which is not inside of the package.`);
}

function readBuild(text: string, bytes: Buffer): PlayerBuild {
  const source = bytes.toString('utf8');
  for (const library of libraries) {
    const version = library.versionIn(source);
    if (version === null) continue;
    mustBeNewEnough(text, library, version);
    return { library, source, isModule: /\bexport\s*\{/.test(source), version, sha256: sha256Of(bytes) };
  }
  throw new Error(`${text}: It is no build of ${LIBRARY_NAMES}: no version of theirs stands in it.`);
}

function mustBeNewEnough(text: string, { label, oldest }: PlayerLibrary, version: string): void {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  const [oldestMajor, oldestMinor] = oldest;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor))
    throw new Error(`${text}: It is ${label} ${version}; the page needs ${oldest.join('.')} or newer.`);
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
