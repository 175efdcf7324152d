import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { copyFile, mkdtemp, readdir, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { BYTES_PER_MIB, isWithin, readOrdinaryFile } from './ordinaryFile.ts';
import { fileInTarball } from './tarball.ts';
import { cachedFolder, cachedPath } from '../../../lab/content/cachedFolder.ts';
import { formatFileError } from '../../../node/files.ts';
import { isObject } from '../../../src/shared/jsonObject.ts';

/** A build of dash.js that a page can be built with. */
export interface DashBuild {
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

/** Major version of the oldest dash.js whose events, interceptors and custom rules are those that the player uses. */
const MIN_MAJOR = 5;

const NPM = /^dashjs@(.+)$/;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const TARBALL = /\.(?:tgz|tar\.gz)$/;

/** File of the whole build in a package of dash.js, if its `exports` name none. */
const USUAL_FILE = 'dist/modern/esm/dash.all.min.js';

/** Returns whether a text can only be a build of dash.js: a version of npm, a tarball, a file or a folder of its package. */
export const isDashBuild = (text: string, folder: string): boolean =>
  NPM.test(text) ||
  TARBALL.test(text) ||
  /\.[cm]?js$/.test(text) ||
  existsSync(path.resolve(folder, text, 'package.json'));

/**
 * Finds a build of dash.js: `dashjs@5.2.1` (fetched once by the user's npm), a tarball as `npm pack` writes it, the folder of
 * the package, or its JavaScript file. Paths are relative to `folder`. Of a package only its one file of JavaScript is read,
 * which must be inside of it, and nothing is unpacked.
 *
 * @throws Error in one sentence that names the text
 */
export async function findDashBuild(
  text: string,
  { folder, cacheFolder }: { readonly folder: string; readonly cacheFolder: string },
): Promise<DashBuild> {
  const version = NPM.exec(text)?.[1];
  if (version !== undefined) return buildInTarball(text, await downloadBuild(version, cacheFolder));
  const given = path.resolve(folder, text);
  const entry = statSync(given, { throwIfNoEntry: false });
  if (!entry) throw new Error(`${text}: There is no such file or folder.`);
  if (entry.isDirectory()) return buildInFolder(text, given);
  if (TARBALL.test(given)) return buildInTarball(text, given);
  return readBuild(text, await readOrdinaryFile(given, { name: text, maxBytes: MAX_BUILD_BYTES }));
}

/** Downloads the tarball of an exact version: what a range or a tag names today may be another build tomorrow. */
async function downloadBuild(version: string, cacheFolder: string): Promise<string> {
  const spec = `dashjs@${version}`;
  if (!EXACT.test(version)) throw new Error(`${spec}: Name one version, as in dashjs@5.2.1.`);
  mustBeNewEnough(spec, version);
  const place = cachedPath(cacheFolder, 'dashjs', [spec, TARBALL_FILE], 'pages');
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

async function buildInFolder(text: string, folder: string): Promise<DashBuild> {
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

async function buildInTarball(text: string, file: string): Promise<DashBuild> {
  const tarball = await readOrdinaryFile(file, { name: text, maxBytes: MAX_TARBALL_BYTES });
  return buildInPackage(text, (name, maxBytes) =>
    fileInTarball(tarball, { name: `package/${name}`, maxBytes }).catch((error: Error) => {
      throw new Error(`${text}: It cannot be unpacked: ${error.message}.`);
    }),
  );
}

/** Finds the build that a package's `exports` name for `import`. */
async function buildInPackage(text: string, read: ReadFile): Promise<DashBuild> {
  const about = await read('package.json', BYTES_PER_MIB);
  if (about === null) throw new Error(`${text}: It has no package.json, so it is no package of dash.js.`);
  const { name, exports } = parsed(text, about.toString('utf8'));
  if (name !== 'dashjs') throw new Error(`${text}: It is ${formatPackage(name)}, not dashjs.`);
  const file = insideOf(text, importedFile(exports) ?? USUAL_FILE);
  const bytes = await read(file, MAX_BUILD_BYTES);
  if (bytes !== null) return readBuild(text, bytes);
  throw new Error(`${text}: ${file} is missing: build dash.js first, or name its file.`);
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

function readBuild(text: string, bytes: Buffer): DashBuild {
  const source = bytes.toString('utf8');
  const version = versionIn(source);
  if (version === null) throw new Error(`${text}: It is no build of dash.js: no version stands in it.`);
  mustBeNewEnough(text, version);
  return { source, isModule: /\bexport\s*\{/.test(source), version, sha256: sha256Of(bytes) };
}

/** Finds what `getVersionString` of core/Version.js answers, in a minified build and in one that is not. */
export const versionIn = (source: string): string | null =>
  /getVersionString\b[^"']{0,200}["'](\d{1,4}\.\d{1,4}\.[\w.+-]{1,40})["']/.exec(source)?.[1] ??
  /\bVERSION = ["'](\d{1,4}\.\d{1,4}\.[\w.+-]{1,40})["']/.exec(source)?.[1] ??
  null;

function mustBeNewEnough(text: string, version: string): void {
  if (Number(version.split('.')[0]) < MIN_MAJOR)
    throw new Error(`${text}: It is dash.js ${version}; the page needs 5.0 or newer.`);
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
