import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { cachedFolder, cachedPath } from '../../../lab/content/cachedFolder.ts';

/** A build of dash.js that a page can be built with. */
export interface DashBuild {
  /** One file of JavaScript: an ES module, or UMD. */
  readonly file: string;
  readonly isModule: boolean;
  /** As its source says. */
  readonly version: string;
  /** Of the file. */
  readonly sha256: string;
}

/** The oldest dash.js whose events, interceptors and custom rules are those that the player uses. */
const MIN_MAJOR = 5;

const NPM = /^dashjs@(.+)$/;
const EXACT = /^\d+\.\d+\.\d+(?:-[\w.]+)?$/;
const TARBALL = /\.(?:tgz|tar\.gz)$/;

/** Where a package of dash.js has its whole build, if its `exports` do not say. */
const USUAL_FILE = 'dist/modern/esm/dash.all.min.js';

/** Whether a text can only be a build of dash.js: a version of npm, a tarball, a file or a folder of its package. */
export const isDashBuild = (text: string, folder: string): boolean =>
  NPM.test(text) ||
  TARBALL.test(text) ||
  /\.[cm]?js$/.test(text) ||
  existsSync(path.resolve(folder, text, 'package.json'));

/**
 * Finds a build of dash.js: `dashjs@5.2.1` (fetched once by the user's npm), a tarball as `npm pack` writes it, the folder of
 * the package, or its JavaScript file. Paths are relative to `folder`. What is unpacked stays in the cache.
 *
 * @throws Error in one sentence that names the text
 */
export async function findDashBuild(
  text: string,
  { folder, cacheFolder }: { readonly folder: string; readonly cacheFolder: string },
): Promise<DashBuild> {
  const version = NPM.exec(text)?.[1];
  if (version !== undefined)
    return readBuild(text, await fileOfPackage(text, await fetched(version, cacheFolder)));
  const given = path.resolve(folder, text);
  const entry = statSync(given, { throwIfNoEntry: false });
  if (!entry) throw new Error(`${text}: There is no such file or folder.`);
  if (entry.isDirectory()) return readBuild(text, await fileOfPackage(text, given));
  if (TARBALL.test(given))
    return readBuild(text, await fileOfPackage(text, await unpacked(text, given, cacheFolder)));
  return readBuild(text, given);
}

/** The folder of an exact version's package: what a range or a tag names today may be another build tomorrow. */
async function fetched(version: string, cacheFolder: string): Promise<string> {
  const spec = `dashjs@${version}`;
  if (!EXACT.test(version)) throw new Error(`${spec}: Name one version, as in dashjs@5.2.1.`);
  mustBeNewEnough(spec, version);
  const place = cachedPath(cacheFolder, 'dashjs', spec, 'pages');
  await cachedFolder(place, async (into) => {
    const temporary = await mkdtemp(path.join(tmpdir(), 'pitwall-npm-'));
    try {
      const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
      // With --silent npm would not say why, either.
      const quiet = ['--loglevel', 'error', '--ignore-scripts'];
      await run(spec, npm, ['pack', spec, ...quiet, '--pack-destination', temporary]);
      const [tarball] = await readdir(temporary);
      if (tarball === undefined) throw new Error(`${spec}: npm pack wrote no file.`);
      await unpack(spec, path.join(temporary, tarball), into);
    } finally {
      await rm(temporary, { recursive: true, force: true });
    }
  });
  return path.join(place, 'package');
}

async function unpacked(text: string, file: string, cacheFolder: string): Promise<string> {
  const place = cachedPath(cacheFolder, 'tarball', sha256Of(await readFile(file)), 'pages');
  await cachedFolder(place, (into) => unpack(text, file, into));
  return path.join(place, 'package');
}

/** By relative names: to tar a name with a colon is a machine. */
const unpack = (text: string, file: string, into: string): Promise<void> =>
  run(
    text,
    'tar',
    ['-xzf', path.basename(file), '-C', path.relative(path.dirname(file), into)],
    path.dirname(file),
  );

/** @throws Error in one sentence with the first line of the program that gives a reason */
function run(text: string, program: string, args: readonly string[], cwd?: string): Promise<void> {
  const child = spawn(program, args, { cwd, stdio: ['ignore', 'ignore', 'pipe'] });
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

/** npm says `npm error notarget No matching version …`, after a line with the code alone. */
function reasonIn(said: string): string | undefined {
  return said
    .split('\n')
    .filter(
      (line) =>
        line.trim() !== '' && !/^npm (?:error|ERR!) (?:code |errno |syscall |A complete log)/.test(line),
    )
    .map((line) => line.replace(/^npm (?:error|ERR!) (?:(?:notarget|network|\d{3}) )?/, ''))[0];
}

/** The build that a package's `exports` name for `import`. */
async function fileOfPackage(text: string, folder: string): Promise<string> {
  const about = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => null);
  if (about === null) throw new Error(`${text}: It has no package.json, so it is no package of dash.js.`);
  const { name, exports } = parsed(text, about);
  if (name !== 'dashjs')
    throw new Error(`${text}: It is the package ${name ?? 'without a name'}, not dashjs.`);
  const file = path.join(folder, exports?.['.']?.import ?? USUAL_FILE);
  if (existsSync(file)) return file;
  throw new Error(
    `${text}: ${path.relative(folder, file)} is missing: build dash.js first, or name its file.`,
  );
}

interface PackageFile {
  readonly name?: string;
  readonly exports?: Readonly<Record<string, { readonly import?: string }>>;
}

function parsed(text: string, json: string): PackageFile {
  try {
    return JSON.parse(json) as PackageFile;
  } catch {
    throw new Error(`${text}: Its package.json is not valid JSON.`);
  }
}

async function readBuild(text: string, file: string): Promise<DashBuild> {
  const bytes = await readFile(file);
  const source = bytes.toString('utf8');
  const version = versionIn(source);
  if (version === null) throw new Error(`${text}: It is no build of dash.js: no version stands in it.`);
  mustBeNewEnough(text, version);
  return { file, isModule: /\bexport\s*\{/.test(source), version, sha256: sha256Of(bytes) };
}

/** The text of a build. @throws Error in one sentence where it is not what was found: somebody builds dash.js meanwhile */
export async function textOfBuild({ file, sha256 }: DashBuild): Promise<string> {
  const bytes = await readFile(file);
  if (sha256Of(bytes) === sha256) return bytes.toString('utf8');
  throw new Error(
    `${file}: This build of dash.js was written anew meanwhile. Start again when its build has ended.`,
  );
}

/** What `getVersionString` of core/Version.js answers, in a minified build and in one that is not. */
export const versionIn = (source: string): string | null =>
  /getVersionString\b[^"']{0,200}["'](\d{1,4}\.\d{1,4}\.[\w.+-]{1,40})["']/.exec(source)?.[1] ??
  /\bVERSION = ["'](\d{1,4}\.\d{1,4}\.[\w.+-]{1,40})["']/.exec(source)?.[1] ??
  null;

function mustBeNewEnough(text: string, version: string): void {
  if (Number(version.split('.')[0]) < MIN_MAJOR)
    throw new Error(`${text}: It is dash.js ${version}; the page needs 5.0 or newer.`);
}

const sha256Of = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');
