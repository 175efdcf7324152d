// Runs programs for set-up: quietly, with their last words where they fail.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/** { ok, out, why }: `out` is standard output, `why` one line of what went wrong. */
export function run(program, args, options = {}) {
  const result = spawnSync(program, args, { encoding: 'utf8', maxBuffer: 1 << 26, ...options });
  const words = `${result.stderr ?? ''}`
    .trim()
    .split('\n')
    .filter((line) => line.trim() !== '');
  const why = result.error?.message ?? words.at(-1) ?? `exit code ${result.status}`;
  return { ok: result.status === 0, out: result.stdout ?? '', why };
}

/**
 * What set-up found, and how; else why not, in words.
 * @typedef {{ readonly path: string, readonly how: string } | { readonly path: null, readonly why: string }} Found
 */

/** The program that a variable of the environment names; null where it names none. @returns {Found | null} */
export function programNamed(variable) {
  const file = process.env[variable];
  if (!file) return null;
  return isProgram(file)
    ? { path: file, how: variable }
    : { path: null, why: `${variable} names ${file}, which is not an executable file` };
}

/** The first of these names that the PATH has, as an absolute path; null when none. */
export function onPath(...names) {
  const folders = (process.env.PATH ?? '').split(path.delimiter).concat('/usr/sbin', '/sbin');
  const endings = process.platform === 'win32' ? ['.exe', ''] : [''];
  for (const name of names)
    for (const folder of folders)
      for (const ending of endings) {
        const file = path.join(folder, name + ending);
        if (folder !== '' && isProgram(file)) return file;
      }
  return null;
}

export function isProgram(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

const isRoot = () => process.getuid?.() === 0;

/** Debian's packages can be installed here: root, and apt-get is there. */
export const canApt = () => isRoot() && onPath('apt-get') !== null;

/** Installs Debian packages; the lists are fetched first, because a fresh machine has none. */
export function aptInstall(packages, say) {
  say(`installing Debian's ${packages.join(', ')}`);
  const environment = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Another apt (a fresh machine upgrading itself, a second set-up) is waited for.
  const aptGet = (...args) =>
    run('apt-get', ['-qq', '-o', 'DPkg::Lock::Timeout=300', ...args], { env: environment });
  const updated = aptGet('update');
  const installed = aptGet('install', '-y', '--no-install-recommends', ...packages);
  return installed.ok
    ? null
    : `apt-get could not install ${packages.join(', ')}: ${(updated.ok ? installed : updated).why}`;
}
