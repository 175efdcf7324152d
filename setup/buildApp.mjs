// Builds the page: into dist/ when a source changed since the last build, or elsewhere with another dash.js.
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { setTimeout as passed } from 'node:timers/promises';
import { stripVTControlCharacters } from 'node:util';
import { buildMetadata } from './codeVersion.mjs';
import { isPackage } from './installation.mjs';
import { takesLock } from './whileLocked.mjs';

const SOURCES = [
  'src',
  'public',
  'index.html',
  'vite.config.ts',
  'setup/smaller.ts',
  'setup/buildSessionPage.ts',
  'package.json',
  'package-lock.json',
];

/**
 * Builds where needed and says in one line what it did. Content and commit decide: the page writes the latter into its logs.
 * @param {string} root
 * @param {(line: string) => void} say
 */
export async function buildApp(root, say) {
  if (isPackage(root)) return say('app: comes with the package');
  if (isBuilt(root)) return say('app: built already');
  const lockFile = path.join(root, '.pitwall', 'app.lock');
  mkdirSync(path.dirname(lockFile), { recursive: true });
  // Another process that builds empties dist/ first. Processes of other machines are not seen: deploy/snakemake keeps them apart.
  for (let tries = 0; !takesLock(lockFile); tries += 1) {
    if (tries === 5) say('app: another process builds it; waiting');
    await passed(200);
  }
  try {
    if (isBuilt(root)) return say('app: built already');
    const startedAt = Date.now();
    const { build } = await import('vite');
    const stamp = fingerprint(root);
    // Until dist/ is whole, no process may take it for built.
    rmSync(stampFileOf(root), { force: true });
    await build({ root, logLevel: 'warn' });
    writeFileSync(stampFileOf(root), stamp);
    say(`app: built into dist/ in ${((Date.now() - startedAt) / 1000).toFixed(1)} s`);
  } finally {
    rmSync(lockFile, { force: true });
  }
}

/** Returns a hash of all that the page is built from, its commit included, besides its packages. @param {string} root */
export const hashOfSources = (root) => fingerprint(root);

/** What the page imports of each player as a module. */
const IMPORTED = { dashjs: 'dashjs', hlsjs: 'hls.js' };

/**
 * Builds the page into `outDir` with another player, which stays a script of its own, byte by byte; `dist/` stays as it is.
 * Anybody may have written it, and a bundler would put into the page any file of this machine that the script imports, or names
 * by `new URL(…)`. Shaka is a script of its own already: it takes the place of ours in a copy of the built page.
 * @param {string} root
 * @param {{ readonly player: 'dashjs' | 'hlsjs' | 'shaka', readonly script: string, readonly appFolder: string, readonly outDir: string }} what
 */
export async function buildWithPlayer(root, { player, script, appFolder, outDir }) {
  if (player === 'shaka') return copyWithShaka(script, { appFolder, outDir });
  const { build } = await import('vite');
  const otherPlayer = {
    name: 'other-player',
    enforce: 'pre',
    resolveId: (id) => (id === IMPORTED[player] ? { id: OTHER_PLAYER, external: true } : null),
  };
  await build({ root, logLevel: 'warn', plugins: [otherPlayer], build: { outDir, emptyOutDir: true } });
  const assets = path.join(outDir, 'assets');
  const name = `${player}-${createHash('sha256').update(script).digest('hex').slice(0, 12)}.js`;
  const importing = readdirSync(assets)
    .map((file) => path.join(assets, file))
    .filter((file) => file.endsWith('.js') && readFileSync(file, 'utf8').includes(OTHER_PLAYER));
  if (importing.length === 0) throw new Error(`No script of the page imports ${player}.`);
  for (const file of importing)
    writeFileSync(file, readFileSync(file, 'utf8').replaceAll(OTHER_PLAYER, `./${name}`));
  writeFileSync(path.join(assets, name), script);
}

/** Says why no browser can run a script, a module that imports nothing, in words after its name; null where one can. @param {string} script */
export async function scriptFault(script) {
  const { parseAstAsync } = await import('vite');
  try {
    const { body } = await parseAstAsync(script);
    const importing = body.find(({ source }) => source);
    return importing
      ? `imports ${JSON.stringify(importing.source.value)}: name a build that is one file`
      : null;
  } catch (error) {
    // A compiler writes several lines, for a screen with colours.
    const lines = stripVTControlCharacters(String(error.message)).split('\n');
    const [first = 'no reason is given', second = ''] = lines
      .map((line) => line.replaceAll(/\p{Cc}/gu, ' ').trim())
      .filter(Boolean);
    const reason = first.endsWith(':') ? `${first} ${second}` : first;
    return `is no valid JavaScript (${reason.replace(/\.$/, '')})`;
  }
}

function copyWithShaka(script, { appFolder, outDir }) {
  cpSync(appFolder, outDir, { recursive: true });
  const assets = path.join(outDir, 'assets');
  const own = readdirSync(assets).filter((file) => /^shaka-player\.[^/]*\.js$/.test(file));
  if (own.length !== 1) throw new Error('The built page has no script of Shaka.');
  writeFileSync(path.join(assets, own[0]), script);
}

/** Module name that the page's scripts import until the name of the other player replaces it. */
const OTHER_PLAYER = 'pitwall-other-player';

/** Returns a hash of what dist/ was built from; empty before the first build and during each. @param {string} root */
export function builtStamp(root) {
  const stampFile = stampFileOf(root);
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}

const stampFileOf = (root) => path.join(root, '.pitwall', 'app-stamp');

function isBuilt(root) {
  return existsSync(path.join(root, 'dist', 'index.html')) && builtStamp(root) === fingerprint(root);
}

const fingerprint = (root) => ofSources(root).update(buildMetadata(root)).digest('hex');

/** Returns a hash of the page's source files alone, which does not depend on the commit. @param {string} root */
export const hashOfSourceFiles = (root) => ofSources(root).digest('hex');

function ofSources(root) {
  const hash = createHash('sha256');
  for (const source of SOURCES) addTo(hash, root, source);
  return hash;
}

function addTo(hash, root, name) {
  const file = path.join(root, name);
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat) return;
  if (stat.isDirectory())
    for (const entry of readdirSync(file).sort()) addTo(hash, root, path.join(name, entry));
  else if (!/\.test\.ts$|\.md$/.test(name)) hash.update(`${name}\0`).update(readFileSync(file));
}
