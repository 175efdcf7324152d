// Servers and a packager of other projects, for the tests that play from them. Looked for always, installed for tests only.
import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { aptInstall, canApt, isProgram, onPath, programNamed, run } from './run.mjs';
import { whileLocked } from './whileLocked.mjs';

const FOR_TESTS = 'only tests need it: "npm test" installs it';

/**
 * { nginx, apache, hypercorn, shakaPackager }, each { path, how } or { path: null, why }. `hypercorn` is the Python that has
 * it. Without `mayInstall` nothing is fetched or installed.
 * @returns {Record<'nginx' | 'apache' | 'hypercorn' | 'shakaPackager', import('./run.mjs').Found>}
 */
export function findTestServers({ root, cache, say }, { mayInstall = true } = {}) {
  const find = () => ({
    ...findDebian(say, mayInstall),
    hypercorn: programNamed('PITWALL_HYPERCORN') ?? findHypercorn({ root, cache, say }, mayInstall),
    shakaPackager: programNamed('PITWALL_SHAKA_PACKAGER') ?? findShakaPackager(cache, say, mayInstall),
  });
  return mayInstall ? whileLocked(path.join(cache, 'test-servers.lock'), find) : find();
}

/** Debian's packages; `names` are what the program is called on this and other systems. */
const DEBIAN = {
  nginx: { variable: 'PITWALL_NGINX', names: ['nginx'], installed: 'nginx' },
  // Without its service, which is in the package apache2.
  apache: { variable: 'PITWALL_APACHE', names: ['apache2', 'httpd'], installed: 'apache2-bin' },
};

function findDebian(say, mayInstall) {
  const look = (name) => onPath(...DEBIAN[name].names);
  const absent = Object.keys(DEBIAN).filter((name) => !process.env[DEBIAN[name].variable] && !look(name));
  const refused = absent.length === 0 ? null : installDebian(absent, say, mayInstall);
  return Object.fromEntries(
    Object.entries(DEBIAN).map(([name, { variable, installed }]) => {
      const file = look(name);
      const found = file
        ? { path: file, how: absent.includes(name) ? `Debian's ${installed}` : 'on the PATH' }
        : { path: null, why: refused ?? `Debian's ${installed} does not have it` };
      return [name, programNamed(variable) ?? found];
    }),
  );
}

function installDebian(names, say, mayInstall) {
  if (!mayInstall) return FOR_TESTS;
  const packages = names.map((name) => DEBIAN[name].installed);
  if (!canApt())
    return `set-up installs packages only on Debian, as root, so ${packages.join(' and ')} must be installed by hand`;
  const refused = withoutServices(() => aptInstall(packages, say));
  // The next start of the machine would start it, too.
  if (names.includes('nginx') && onPath('systemctl')) run('systemctl', ['disable', '--now', 'nginx']);
  return refused;
}

/** What Debian asks before it starts a service (invoke-rc.d(8)); 101 forbids it. */
const POLICY = '/usr/sbin/policy-rc.d';
const FORBIDS = '#!/bin/sh\n# Made by the set-up of Pitwall while it installs servers for tests.\nexit 101\n';

/** Runs `work` while packages that are installed start no service. A policy of the machine's own stays as it is. */
export function withoutServices(work, policy = POLICY) {
  // What an earlier set-up that was killed has left is ours.
  if (existsSync(policy) && readFileSync(policy, 'utf8') !== FORBIDS) return work();
  writeFileSync(policy, FORBIDS, { mode: 0o755 });
  try {
    return work();
  } finally {
    rmSync(policy, { force: true });
  }
}

/** hypercorn and aioquic in a virtual environment, every file with a hash that we name. */
function findHypercorn({ root, cache, say }, mayInstall) {
  const requirements = path.join(root, 'setup', 'hypercorn-requirements.txt');
  const state = createHash('sha256').update(readFileSync(requirements)).digest('hex').slice(0, 16);
  const folder = path.join(cache, 'hypercorn', state);
  const python = pythonOf(folder);
  // The Python below it may be gone or another one.
  const works = () => isProgram(python) && run(python, ['-c', 'import hypercorn, aioquic']).ok;
  if (works()) return { path: python, how: `${state}, in the cache` };
  if (!mayInstall) return { path: null, why: FOR_TESTS };
  const why = installHypercorn({ folder, requirements, say });
  if (why) return { path: null, why };
  return works()
    ? { path: python, how: `${state}, installed` }
    : { path: null, why: 'hypercorn was installed, but does not run on this machine' };
}

const pythonOf = (folder) =>
  process.platform === 'win32'
    ? path.join(folder, 'Scripts', 'python.exe')
    : path.join(folder, 'bin', 'python');

/** Returns why it failed, or null. Made aside and moved whole; only "python -m" is used, which is fine with that. */
function installHypercorn({ folder, requirements, say }) {
  const python = onPath('python3', 'python');
  if (!python) return 'there is no python3 to run hypercorn with: install Python 3.11 or newer';
  say('installing hypercorn and aioquic (8 MB) into a virtual environment');
  mkdirSync(path.dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}.making-`);
  try {
    const refused = makeEnvironment(python, temporary, say);
    if (refused) return `python3 could not make a virtual environment: ${refused}`;
    const pip = ['-m', 'pip', 'install', '-q', '--disable-pip-version-check', '--no-deps'];
    const installed = run(pythonOf(temporary), [
      ...[...pip, '--require-hashes', '--only-binary', ':all:', '-r', requirements],
    ]);
    if (!installed.ok) return `pip could not install hypercorn: ${installed.why}`;
    rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
    return null;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Returns why it failed, or null. Debian's python3 comes without what makes environments. */
function makeEnvironment(python, folder, say) {
  const make = () => run(python, ['-m', 'venv', '--clear', folder]);
  const first = make();
  if (first.ok) return null;
  if (!/ensurepip|venv/.test(first.out + first.why) || !canApt()) return first.why;
  const refused = aptInstall(['python3-venv'], say);
  if (refused) return refused;
  const second = make();
  return second.ok ? null : second.why;
}

/** The package of the npm registry that the project itself publishes, with a program per platform in it. */
export const SHAKA = {
  version: '3.4.2',
  sha256: 'ed12902dd058537f1faa0ad82d40cbcb9bb9b850c32d86ed29e43a2a8c8575e9',
  programs: {
    'linux-x64': 'packager-linux-x64',
    'linux-arm64': 'packager-linux-arm64',
    'darwin-x64': 'packager-osx-x64',
    'darwin-arm64': 'packager-osx-arm64',
    'win32-x64': 'packager-win-x64.exe',
  },
};

function findShakaPackager(cache, say, mayInstall) {
  const platform = `${process.platform}-${process.arch}`;
  const name = SHAKA.programs[platform];
  if (!name) return { path: null, why: `Shaka Packager ${SHAKA.version} has no program for ${platform}` };
  const program = path.join(cache, 'shaka-packager', SHAKA.version, name);
  if (isProgram(program)) return { path: program, how: `${SHAKA.version}, in the cache` };
  if (!mayInstall) return { path: null, why: FOR_TESTS };
  const why = fetchShakaPackager(program, say);
  return why ? { path: null, why } : { path: program, how: `${SHAKA.version}, fetched` };
}

/** Returns why it failed, or null. */
function fetchShakaPackager(program, say) {
  const packed = `shaka-packager@${SHAKA.version}`;
  say(`fetching ${packed} (16 MB)`);
  const folder = path.dirname(program);
  mkdirSync(folder, { recursive: true });
  const temporary = mkdtempSync(path.join(folder, 'fetch-'));
  try {
    const fetched = run('npm', ['pack', '--silent', '--pack-destination', temporary, packed], {
      shell: process.platform === 'win32',
    });
    const archive = readdirSync(temporary).find((each) => each.endsWith('.tgz'));
    if (!fetched.ok || !archive) return `npm could not fetch ${packed}: ${fetched.why}`;
    const sha256 = createHash('sha256')
      .update(readFileSync(path.join(temporary, archive)))
      .digest('hex');
    if (sha256 !== SHAKA.sha256)
      return `${packed} is not the file that is known here: its SHA-256 is ${sha256}, not ${SHAKA.sha256}`;
    const inside = `package/bin/${path.basename(program)}`;
    // Relative names: to tar a name with a colon is a machine.
    const unpacked = run('tar', ['-xzf', archive, inside], { cwd: temporary });
    if (!unpacked.ok) return `tar could not unpack ${packed}: ${unpacked.why}`;
    const file = path.join(temporary, inside);
    const tried = run(file, ['--version']);
    if (!tried.ok) return `the program of ${packed} does not run on this machine: ${tried.why}`;
    renameSync(file, program);
    return null;
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
