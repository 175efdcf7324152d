import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildRattan } from './buildRattan.mjs';
import { findNetwork } from './setup.mjs';

// The mock acts like the build of an image, where a container may make neither namespaces nor a user namespace.
vi.mock('./namespaceWay.mjs', () => ({ namespaceWay: () => ({ kind: 'none', why: 'refused' }) }));

let folder = '';
const addProgram = (name: string, script = 'exit 0'): void =>
  writeFileSync(path.join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-image-'));
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`);
  vi.stubEnv('PITWALL_RATTAN', '');
  for (const name of [
    'ip',
    'nft',
    'tc',
    'setpriv',
    'unshare',
    'nsenter',
    'taskset',
    'chrt',
    'prlimit',
    'mount',
  ])
    addProgram(name);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

it('has what links need, although no link can be made where it is built', () => {
  expect(findNetwork(() => {}, { forImage: true })).toEqual(
    Object.fromEntries(
      ['ip', 'nft', 'tc'].map((name) => [name, { path: path.join(folder, name), how: 'installed' }]),
    ),
  );
  // `cargo install rattan --version V --locked --root FOLDER`
  addProgram('cargo', 'mkdir -p "$7/bin" && echo "#!/bin/sh" > "$7/bin/rattan" && chmod +x "$7/bin/rattan"');
  expect(buildRattan(path.join(folder, 'cache'), () => {}, { forImage: true })).toMatchObject({
    path: path.join(folder, 'cache', 'rattan', '0.1.1', 'bin', 'rattan'),
  });
});

it('has nothing of it without the option', () => {
  addProgram('cargo', 'exit 1');
  const why = expect.stringContaining('refused') as unknown;
  expect(findNetwork(() => {})).toMatchObject({ ip: { path: null, why } });
  expect(buildRattan(path.join(folder, 'cache'), () => {})).toEqual({
    path: null,
    why: 'emulated links are skipped: refused',
  });
});
