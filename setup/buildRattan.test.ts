import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { buildRattan } from './buildRattan.mjs';
import { namespaceWay } from './namespaceWay.mjs';

const able = namespaceWay().kind !== 'none';
let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-rattan-'))));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

/** A cargo that does what is asked here, before every other one. */
function withCargo(script: string): void {
  writeFileSync(path.join(folder, 'cargo'), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`);
  vi.stubEnv('PITWALL_RATTAN', '');
}
const cache = (): string => path.join(folder, 'cache');
const build = (options = {}) => buildRattan(cache(), () => {}, options);

if (able) {
  it('builds once, whole', () => {
    // `cargo install rattan --version V --locked --root FOLDER`
    withCargo('mkdir -p "$7/bin" && echo "#!/bin/sh" > "$7/bin/rattan" && chmod +x "$7/bin/rattan"');
    const program = path.join(cache(), 'rattan', '0.1.1', 'bin', 'rattan');
    expect(build()).toMatchObject({ path: program, how: expect.stringMatching(/^0\.1\.1, built in \d+ s$/) });
    withCargo('exit 1');
    expect(build()).toEqual({ path: program, how: '0.1.1, in the cache' });
    expect(readdirSync(path.join(cache(), 'rattan'))).toEqual(['0.1.1']);
  });
  it('says why it could not, and leaves nothing that looks built', () => {
    withCargo('echo "error: no network" >&2; exit 101');
    expect(build()).toEqual({ path: null, why: 'cargo could not build Rattan 0.1.1: error: no network' });
    expect(readdirSync(path.join(cache(), 'rattan'))).toEqual([]);
  });
  it('does not build for whoever only wants to watch', () => {
    withCargo('exit 1');
    expect(build({ mayBuild: false })).toMatchObject({
      path: null,
      why: expect.stringContaining('npm run setup'),
    });
  });
} else {
  it('is not built where no link can be', () => {
    withCargo('exit 1');
    expect(build()).toMatchObject({ path: null, why: expect.stringContaining('emulated links are skipped') });
  });
}
