// Our own origin (lab/origin, in Rust): built into the per-user cache, again only when its sources changed.
import { createHash } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import path from 'node:path';
import { findCargo } from './findCargo.mjs';
import { isProgram, programNamed, run } from './run.mjs';
import { whileLocked } from './whileLocked.mjs';

/** In lab/origin. */
const SOURCES = ['Cargo.toml', 'Cargo.lock', 'src'];
const EXTENSION = process.platform === 'win32' ? '.exe' : '';
const NAME = `pitwall-origin${EXTENSION}`;
/** What loads an origin, for the benches: it lies beside it. */
const LOAD_NAME = `pitwall-load${EXTENSION}`;
/** Builds of other sources are kept this long: another checkout may run them. */
const KEEP_MS = 7 * 24 * 3_600_000;
const WITHOUT = 'Caddy serves instead, and logs have no transport data';

/** { path, how } or { path: null, why }. Missing is no error: Caddy serves everything that people play. @returns {import('./run.mjs').Found} */
export function buildOrigin({ root, cache, say }, { mayBuild = true } = {}) {
  const given = programNamed('PITWALL_ORIGIN_PROGRAM');
  if (given) return given;
  const crate = path.join(root, 'lab', 'origin');
  if (!existsSync(crate))
    return { path: null, why: `its sources (Rust) are only in a checkout of Pitwall; without it ${WITHOUT}` };
  const state = fingerprint(crate);
  const built = path.join(cache, 'origin', state, NAME);
  if (isProgram(built)) return { path: built, how: `${state}, in the cache` };
  if (!mayBuild)
    return {
      path: null,
      why: `it is built, in one to three minutes, by "npm run setup"; until then ${WITHOUT}`,
    };
  return whileLocked(path.join(cache, 'origin.lock'), () =>
    isProgram(built)
      ? { path: built, how: `${state}, built by another set-up` }
      : build({ crate, built, cache, say }),
  );
}

/** Where cargo keeps what it compiled, so that a changed line does not cost the libraries again. */
const originTargetFolder = (cache) => path.join(cache, 'origin', 'target');

/**
 * How cargo builds or tests the crate: both share what is compiled.
 * @returns {{ program: string, args: string[], env: NodeJS.ProcessEnv }}
 */
export function originCargo(cache, command) {
  const cargo = [findCargo() ?? 'cargo', command, '--release', '--locked'];
  const [program, ...args] = process.platform === 'win32' ? cargo : ['nice', '-n', '10', ...cargo];
  return {
    program,
    args,
    env: {
      ...process.env,
      CARGO_PROFILE_RELEASE_DEBUG: '0',
      CARGO_TARGET_DIR: originTargetFolder(cache),
    },
  };
}

function build({ crate, built, cache, say }) {
  if (!findCargo())
    return {
      path: null,
      why: `there is no cargo to build it with: install Rust 1.86 or newer (rustup.rs); until then ${WITHOUT}`,
    };
  say('building the instrumented origin: one to three minutes at first, seconds after a change');
  const startedAt = Date.now();
  const { program, args, env } = originCargo(cache, 'build');
  const result = run(program, args, { cwd: crate, env });
  if (!result.ok)
    return { path: null, why: `cargo could not build it: ${result.why}; until then ${WITHOUT}` };
  removeOlder(path.join(cache, 'origin'));
  // Copied beside and moved: whoever looks meanwhile sees no half of a program.
  mkdirSync(path.dirname(built), { recursive: true });
  for (const name of [LOAD_NAME, NAME]) {
    const target = path.join(path.dirname(built), name);
    copyFileSync(path.join(originTargetFolder(cache), 'release', name), `${target}.${process.pid}`);
    renameSync(`${target}.${process.pid}`, target);
  }
  return { path: built, how: `built in ${Math.round((Date.now() - startedAt) / 1000)} s` };
}

function fingerprint(crate) {
  const hash = createHash('sha256').update(`${process.platform} ${process.arch}\n`);
  for (const source of SOURCES) addTo(hash, crate, source);
  return hash.digest('hex').slice(0, 16);
}

function addTo(hash, crate, name) {
  const file = path.join(crate, name);
  if (!statSync(file).isDirectory())
    return void hash.update(`${name}\0`).update(readFileSync(file)).update('\0');
  for (const entry of readdirSync(file).sort()) addTo(hash, crate, path.join(name, entry));
}

function removeOlder(folder) {
  if (!existsSync(folder)) return;
  for (const name of readdirSync(folder)) {
    const ageMs = Date.now() - statSync(path.join(folder, name)).mtimeMs;
    if (name !== 'target' && ageMs > KEEP_MS)
      rmSync(path.join(folder, name), { recursive: true, force: true });
  }
}
