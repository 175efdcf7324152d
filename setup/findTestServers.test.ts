import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findTestServers, withoutServices } from './findTestServers.mjs';

const root = path.dirname(import.meta.dirname);
let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-test-servers-'))));
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const find = (mayInstall: boolean) =>
  findTestServers({ root, cache: path.join(folder, 'cache'), say: () => {} }, { mayInstall });

/** A program that does what is asked here, before every other one of its name. */
function withProgram(name: string, script: string): string {
  const file = path.join(folder, name);
  writeFileSync(file, `#!/bin/sh\n${script}\n`, { mode: 0o755 });
  vi.stubEnv('PATH', `${folder}${path.delimiter}${process.env['PATH']}`);
  return file;
}

/** What the environment says of every program but one. */
function givenAllBut(name: string): void {
  for (const each of ['NGINX', 'APACHE', 'HYPERCORN', 'SHAKA_PACKAGER'])
    vi.stubEnv(`PITWALL_${each}`, each === name ? '' : process.execPath);
}

describe('findTestServers', () => {
  it('takes what the environment names, and says what is no program', () => {
    givenAllBut('none');
    vi.stubEnv('PITWALL_APACHE', path.join(folder, 'nothing'));
    expect(find(true)).toEqual({
      nginx: { path: process.execPath, how: 'PITWALL_NGINX' },
      apache: {
        path: null,
        why: `PITWALL_APACHE names ${path.join(folder, 'nothing')}, which is not an executable file`,
      },
      hypercorn: { path: process.execPath, how: 'PITWALL_HYPERCORN' },
      shakaPackager: { path: process.execPath, how: 'PITWALL_SHAKA_PACKAGER' },
    });
  });

  it('fetches nothing for whoever only wants to watch', () => {
    for (const each of ['npm', 'python3', 'apt-get']) withProgram(each, `touch ${folder}/was-run`);
    const { hypercorn, shakaPackager } = find(false);
    for (const each of [hypercorn, shakaPackager])
      expect(each).toEqual({ path: null, why: 'only tests need it: "npm test" installs it' });
    expect(existsSync(path.join(folder, 'was-run'))).toBe(false);
  });

  it('refuses a packager that is another file than the known one, and keeps nothing of it', () => {
    givenAllBut('SHAKA_PACKAGER');
    const content = path.join(folder, 'package', 'bin');
    mkdirSync(content, { recursive: true });
    for (const name of ['linux-x64', 'linux-arm64', 'osx-x64', 'osx-arm64'])
      writeFileSync(path.join(content, `packager-${name}`), '#!/bin/sh\n', { mode: 0o755 });
    spawnSync('tar', ['-czf', 'other.tgz', 'package'], { cwd: folder });
    // `npm pack --silent --pack-destination FOLDER NAME`
    withProgram('npm', `cp ${folder}/other.tgz "$4"`);
    const { shakaPackager } = find(true);
    expect(shakaPackager).toMatchObject({
      path: null,
      why: expect.stringMatching(
        /^shaka-packager@3\.4\.2 is not the file that is known here: its SHA-256 is [\da-f]{64}/,
      ),
    });
    expect(find(false).shakaPackager.path).toBe(null);
  });

  it('says why pip could not install hypercorn, and leaves nothing that looks installed', () => {
    givenAllBut('HYPERCORN');
    // `python3 -m venv --clear FOLDER` makes a Python that fails to install
    const failing = path.join(folder, 'failing');
    writeFileSync(failing, '#!/bin/sh\necho "ERROR: no network" >&2\nexit 1\n');
    chmodSync(failing, 0o755);
    withProgram('python3', `mkdir -p "$4/bin" && cp ${failing} "$4/bin/python"`);
    expect(find(true).hypercorn).toEqual({
      path: null,
      why: 'pip could not install hypercorn: ERROR: no network',
    });
    expect(find(false).hypercorn.path).toBe(null);
  });
});

describe('withoutServices', () => {
  const policy = (): string => path.join(folder, 'policy-rc.d');
  const answer = (): number | null => spawnSync(policy(), ['nginx', 'start']).status;

  it('forbids services while it works, and only then', () => {
    expect(withoutServices(answer, policy())).toBe(101);
    expect(existsSync(policy())).toBe(false);
  });

  it('leaves nothing after a failure', () => {
    const fail = (): never => {
      throw new Error('no');
    };
    expect(() => withoutServices(fail, policy())).toThrow('no');
    expect(existsSync(policy())).toBe(false);
  });

  it("keeps the machine's own policy, and removes what a killed set-up left", () => {
    writeFileSync(policy(), '#!/bin/sh\nexit 104\n', { mode: 0o755 });
    expect(withoutServices(answer, policy())).toBe(104);
    expect(existsSync(policy())).toBe(true);
    rmSync(policy());
    const left = withoutServices(() => readFileSync(policy(), 'utf8'), policy());
    writeFileSync(policy(), left, { mode: 0o755 });
    expect(withoutServices(answer, policy())).toBe(101);
    expect(existsSync(policy())).toBe(false);
  });
});
