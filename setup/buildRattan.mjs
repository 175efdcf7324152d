// Rattan, the emulator of links: built once from its crate into the per-user cache.
import { existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { findCargo } from './findCargo.mjs';
import { namespaceWay } from './namespaceWay.mjs';
import { isProgram, onPath, programNamed, run } from './run.mjs';
import { whileLocked } from './whileLocked.mjs';

export const RATTAN_VERSION = '0.1.1';
/** What starts it. */
const NEEDED = ['setpriv', 'unshare', 'nsenter', 'taskset', 'chrt', 'prlimit', 'mount'];

/**
 * { path, how } or { path: null, why }. Only where it can be used: links need network namespaces. Everything else works
 * without it, so that it is no error when it is missing, in CI either: there the tests that need it say so. `forImage`: whether
 * links can be made is found out where the image is used, not here.
 * @returns {import('./run.mjs').Found}
 */
export function buildRattan(cache, say, { mayBuild = true, forImage = false, by = 'npm run setup' } = {}) {
  const why = whyUnusable(forImage);
  if (why) return { path: null, why };
  const given = programNamed('PITWALL_RATTAN');
  if (given) return given;
  const folder = path.join(cache, 'rattan', RATTAN_VERSION);
  const built = path.join(folder, 'bin', 'rattan');
  if (isProgram(built)) return { path: built, how: `${RATTAN_VERSION}, in the cache` };
  if (!mayBuild)
    return {
      path: null,
      why: `it is built, in some minutes, by "${by}"; only emulated links need it`,
    };
  return whileLocked(`${folder}.lock`, () =>
    isProgram(built)
      ? { path: built, how: `${RATTAN_VERSION}, built by another set-up` }
      : build(folder, say),
  );
}

function whyUnusable(forImage) {
  const way = forImage ? null : namespaceWay();
  if (way?.kind === 'none') return `emulated links are skipped: ${way.why}`;
  const absent = NEEDED.filter((name) => !onPath(name));
  return absent.length > 0 ? `${absent.join(', ')} (util-linux) is not installed` : null;
}

/** Builds beside the target and moves it there whole: an interrupted build leaves nothing that looks built. */
function build(folder, say) {
  const cargo = findCargo();
  if (!cargo)
    return { path: null, why: 'there is no cargo to build it with: install Rust 1.86 or newer (rustup.rs)' };
  say(`building Rattan ${RATTAN_VERSION}, the emulator of links: once, 3 to 7 minutes`);
  const startedAt = Date.now();
  mkdirSync(path.dirname(folder), { recursive: true });
  const temporary = mkdtempSync(`${folder}.build-`);
  try {
    const args = ['install', 'rattan', '--version', RATTAN_VERSION, '--locked', '--root', temporary];
    const result = run('nice', ['-n', '10', cargo, ...args], {
      env: {
        ...process.env,
        CARGO_PROFILE_RELEASE_DEBUG: '0',
        CARGO_PROFILE_RELEASE_STRIP: 'symbols',
        CARGO_TARGET_DIR: path.join(temporary, 'target'),
      },
    });
    if (!result.ok)
      return { path: null, why: `cargo could not build Rattan ${RATTAN_VERSION}: ${result.why}` };
    rmSync(path.join(temporary, 'target'), { recursive: true, force: true });
    if (existsSync(folder)) rmSync(folder, { recursive: true, force: true });
    renameSync(temporary, folder);
    const seconds = Math.round((Date.now() - startedAt) / 1000);
    return { path: path.join(folder, 'bin', 'rattan'), how: `${RATTAN_VERSION}, built in ${seconds} s` };
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}
