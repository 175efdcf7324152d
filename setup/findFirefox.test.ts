import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { findFirefox } from './findFirefox.mjs';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-firefox-'));
  vi.stubEnv('PATH', folder);
  vi.stubEnv('PITWALL_FIREFOX', '');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true });
});

const say = (): void => {};

/** A program that says its version; returns its path. */
function fake(name: string, version: string): string {
  const program = path.join(folder, name);
  writeFileSync(program, `#!/bin/sh\necho "${version}"\n`);
  chmodSync(program, 0o755);
  return program;
}

// The programs are shell scripts.
describe.skipIf(process.platform === 'win32')('a Firefox', () => {
  it('is taken where it is new enough', () => {
    const program = fake('firefox-esr', 'Mozilla Firefox 153.7.0esr');
    expect(findFirefox(say)).toEqual({ path: program, how: 'Mozilla Firefox 153.7.0esr' });
  });

  it('that is old is not, and the reason names it', () => {
    const program = fake('firefox', 'Mozilla Firefox 115.3');
    expect(findFirefox(say)).toMatchObject({
      path: null,
      why: expect.stringContaining(`${program} is Firefox 115, older than 153`) as string,
    });
  });

  it('that is missing is not installed unasked', () =>
    expect(findFirefox(say)).toMatchObject({
      path: null,
      why: expect.stringContaining('only sessions in Firefox need it: ') as string,
    }));

  it('that is named is taken, or refused where it is no program', () => {
    const program = fake('mine', 'any');
    vi.stubEnv('PITWALL_FIREFOX', program);
    expect(findFirefox(say)).toEqual({ path: program, how: 'PITWALL_FIREFOX' });
    vi.stubEnv('PITWALL_FIREFOX', path.join(folder, 'gone'));
    expect(findFirefox(say)).toMatchObject({ path: null, why: expect.stringContaining('gone') as string });
  });
});
