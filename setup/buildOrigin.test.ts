import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildOrigin } from './buildOrigin.mjs';

const crate = path.join(path.dirname(import.meta.dirname), 'lab', 'origin');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-build-origin-'));
  for (const name of ['Cargo.toml', 'Cargo.lock', 'src'])
    cpSync(path.join(crate, name), path.join(folder, 'lab', 'origin', name), { recursive: true });
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A cargo that does what is asked here, before every other one. */
function withCargo(script: string): void {
  mkdirSync(path.join(folder, 'bin'), { recursive: true });
  writeFileSync(path.join(folder, 'bin', 'cargo'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${path.join(folder, 'bin')}${path.delimiter}${process.env['PATH']}`);
  vi.stubEnv('PITWALL_ORIGIN_PROGRAM', '');
}

const cache = (): string => path.join(folder, 'cache');
const build = (options = {}) => buildOrigin({ root: folder, cache: cache(), say: () => {} }, options);
const BUILDS = `mkdir -p "$CARGO_TARGET_DIR/release"
  for program in pitwall-origin pitwall-load; do
    printf '#!/bin/sh\\n' > "$CARGO_TARGET_DIR/release/$program"
    chmod +x "$CARGO_TARGET_DIR/release/$program"
  done`;

it.skipIf(process.platform === 'win32')('builds once, and again when a source changed', () => {
  withCargo(BUILDS);
  const first = build();
  expect(first).toMatchObject({
    path: expect.stringMatching(/pitwall-origin$/),
    how: expect.stringMatching(/^built in \d+ s$/),
  });
  withCargo('exit 1');
  expect(build()).toMatchObject({ path: first.path, how: expect.stringMatching(/, in the cache$/) });
  writeFileSync(path.join(folder, 'lab', 'origin', 'src', 'main.rs'), 'fn main() {}');
  expect(build().path).toBeNull();
  withCargo(BUILDS);
  expect(build().path).not.toBe(first.path);
});

it.skipIf(process.platform === 'win32')('says why it could not, and what is then missing', () => {
  withCargo('echo "error: no network" >&2; exit 101');
  expect(build()).toEqual({
    path: null,
    why: 'cargo could not build it: error: no network; until then Caddy serves instead, and logs have no transport data',
  });
  expect(readdirSync(path.join(cache()))).toEqual([]);
});

it('does not build for whoever only wants to watch', () => {
  withCargo('exit 1');
  expect(build({ mayBuild: false })).toMatchObject({
    path: null,
    why: expect.stringContaining('npm run setup'),
  });
});
