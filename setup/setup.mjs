// Makes a fresh machine ready. Node built-ins only: it runs before any package is there. Safe to run twice.
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { buildApp } from './buildApp.mjs';
import { buildOrigin } from './buildOrigin.mjs';
import { buildRattan } from './buildRattan.mjs';
import { cacheFolder } from './cacheFolder.mjs';
import { findCaddy } from './findCaddy.mjs';
import { findChromium } from './findChromium.mjs';
import { findFfmpeg, findFont } from './findFfmpeg.mjs';
import { findFirefox } from './findFirefox.mjs';
import { findTestServers } from './findTestServers.mjs';
import { isPackage, setupCommand, stateFolder, requireNode, requirePath } from './installation.mjs';
import { run, aptInstall, canApt, onPath } from './run.mjs';
import { whileLocked } from './whileLocked.mjs';
import { namespaceWay } from './namespaceWay.mjs';

export const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const say = (line) => void process.stdout.write(`set-up: ${line}\n`);

/**
 * Runs every step; each says in a line what it did, or what is missing and why. With CI=true a missing piece is an
 * error, because a test that is skipped in silence proves nothing. (Without Rattan or our own origin their tests fail,
 * no other.) What takes minutes and only the lab needs is built `forLab`; what only tests play from is installed `forTests`;
 * the second browser is installed `withFirefox`, and never missing to CI. `forImage`: an image of a container, in which nothing
 * that the lab needs may be missing; the page is built as well, so that no container builds it again.
 */
export async function setUp({ forLab = true, forTests = false, forImage = false, withFirefox = false } = {}) {
  requireNode(process.versions.node);
  requirePath(root);
  if (!isPackage(root)) say(`packages: ${installPackages(root, say)}`);
  const cache = cacheFolder();
  mkdirSync(cache, { recursive: true });
  const found = {
    chromium: await findChromium(root, say),
    caddy: findCaddy(cache, say),
    ffmpeg: findFfmpeg(cache, say),
    fontFile: findFont(say),
    ...findNetwork(say, { forImage }),
  };
  const built = {
    rattan: buildRattan(cache, say, { mayBuild: forLab, forImage, by: labSetup() }),
    origin: buildOrigin({ root, cache, say }, { mayBuild: forLab }),
  };
  const servers = findServers(cache, forTests);
  const firefox = findFirefox(say, { mayInstall: withFirefox, command: firefoxSetup() });
  sayFound({ ...found, firefox, ...built, ...(forTests ? servers : present(servers)) });
  writeTools({ ...found, firefox, ...built, ...servers, cacheFolder: { path: cache } });
  requireAll({ ...found, ...(forTests && servers), ...(forImage && built) }, { forImage });
  makeContent(found);
  await buildPage({ forImage });
}

function sayFound(found) {
  for (const [name, { path: file, how, why }] of Object.entries(found))
    say(`${name}: ${file ? `${how} (${file})` : `missing, ${why}`}`);
}

/** What only tests need, and is not there, is nothing to whoever does not test. */
const present = (servers) => Object.fromEntries(Object.entries(servers).filter(([, each]) => each.path));

const buildPage = ({ forImage }) => (forImage ? buildApp(root, say) : null);

/** @throws Error naming what is missing where nothing may be */
function requireAll(needed, { forImage }) {
  const where = forImage ? 'an image' : process.env.CI === 'true' ? 'CI' : null;
  const missing = Object.entries(needed).filter(([, each]) => !each.path);
  if (where === null || missing.length === 0) return;
  const list = missing.map(([name, { why }]) => `${name} is (${why})`).join('; ');
  throw new Error(`in ${where} nothing may be missing, but ${list}`);
}

/** Whoever tests has a checkout. */
const findServers = (cache, mayInstall) =>
  isPackage(root) ? {} : findTestServers({ root, cache, say }, { mayInstall });

const labSetup = () => (isPackage(root) ? `${setupCommand(root)} --lab` : setupCommand(root));

const firefoxSetup = () => `${setupCommand(root)}${isPackage(root) ? '' : ' --'} --firefox`;

function writeTools(found) {
  const file = path.join(stateFolder(root), 'tools.json');
  const paths = Object.fromEntries(Object.entries(found).map(([name, each]) => [name, each.path ?? null]));
  const missing = Object.fromEntries(
    Object.entries(found).flatMap(([name, { path: there, why }]) => (there ? [] : [[name, why]])),
  );
  const text = JSON.stringify({ ...paths, missing }, null, 2);
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(`${file}.${process.pid}`, text);
  renameSync(`${file}.${process.pid}`, file);
}

function makeContent({ ffmpeg, fontFile }) {
  if (!ffmpeg.path || !fontFile.path) return say('demo stream: skipped, because it needs ffmpeg and a font');
  const made = spawnSync(process.execPath, [path.join(root, 'bin', 'pitwall'), 'content'], {
    cwd: root,
    stdio: 'inherit',
  });
  if (made.status !== 0) throw new Error('the demo stream could not be made (see above)');
}

/** Installs npm packages when they are missing or older than the lock file. Returns what it did in words. @throws Error when npm fails */
function installPackages(root, say) {
  const stampFile = path.join(root, 'node_modules', '.pitwall-setup');
  const stamp = createHash('sha256')
    .update(readFileSync(path.join(root, 'package-lock.json')))
    .update(process.platform + process.arch)
    .digest('hex');
  const isCurrent = () => existsSync(stampFile) && readFileSync(stampFile, 'utf8') === stamp;
  if (isCurrent()) return 'installed already';
  return whileLocked(path.join(root, '.pitwall', 'installing'), () => {
    if (isCurrent()) return 'installed by another set-up';
    say('installing npm packages');
    runNpm(root);
    writeFileSync(stampFile, stamp);
    return 'installed';
  });
}

function runNpm(root) {
  // npm is a script on Windows, and Node refuses to start scripts without a shell.
  const npm = run('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    shell: process.platform === 'win32',
  });
  if (!npm.ok) throw new Error(`npm could not install the packages: ${npm.why}`);
}

/** What links, and the tests that lose packets, need inside network namespaces, with Debian's package of each. */
const NETWORK_PACKAGES = { ip: 'iproute2', nft: 'nftables', tc: 'iproute2' };

/**
 * { ip, nft, tc }, each { path, how } or { path: null, why }. `forImage`: whether namespaces can be made is found out where
 * the image is used, not here.
 * @returns {Record<'ip' | 'nft' | 'tc', import('./run.mjs').Found>}
 */
export function findNetwork(say, { forImage = false } = {}) {
  const absent = Object.keys(NETWORK_PACKAGES).filter((name) => !onPath(name));
  const way = forImage ? null : namespaceWay();
  const usable = way?.kind !== 'none';
  const packages = [...new Set(absent.map((name) => NETWORK_PACKAGES[name]))];
  const refused = usable && absent.length > 0 && canApt() ? aptInstall(packages, say) : null;
  const why = usable
    ? (refused ?? `not installed: run "apt-get install ${packages.join(' ')}" as root`)
    : `emulated links and tests that lose packets are skipped: ${way.why}`;
  return Object.fromEntries(
    Object.keys(NETWORK_PACKAGES).map((name) => {
      const program = usable ? onPath(name) : null;
      return [name, program ? { path: program, how: 'installed' } : { path: null, why }];
    }),
  );
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const asked = (option) => process.argv.includes(option);
  await setUp({ withFirefox: asked('--firefox'), forImage: asked('--image') }).catch((error) => {
    process.stderr.write(`set-up failed: ${error.message}\n`);
    process.exitCode = 1;
  });
}
