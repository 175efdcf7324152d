import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { launchChromium } from './launchChromium.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-launch-'));
  vi.stubEnv('TMPDIR', folder);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(folder, { recursive: true, force: true });
});
const start = (changes: { executablePath: string; profileDir?: string; flags?: string[] }) =>
  launchChromium({ flags: [], spkiSha256Base64: null, hostRules: null, ...changes });
const profiles = (): string[] => readdirSync(folder).filter((name) => name.startsWith('pitwall-profile-'));

it.each(['/bin/false', '/nowhere/chromium'])(
  '%s does not start, and leaves no profile',
  async (executablePath) => {
    await expect(start({ executablePath })).rejects.toThrow();
    expect(profiles()).toEqual([]);
  },
);

it('a profile of somebody else stays', async () => {
  const profileDir = path.join(folder, 'mine');
  mkdirSync(profileDir);
  await expect(start({ executablePath: '/bin/false', profileDir })).rejects.toThrow();
  expect(readdirSync(folder)).toContain('mine');
});

it('reports of crashes go into the profile', async () => {
  const executablePath = path.join(folder, 'browser');
  const noted = path.join(folder, 'noted');
  writeFileSync(executablePath, `#!/bin/sh\necho "$BREAKPAD_DUMP_LOCATION" > '${noted}'\n`, { mode: 0o755 });
  await expect(start({ executablePath })).rejects.toThrow();
  expect(path.dirname(path.dirname(readFileSync(noted, 'utf8')))).toBe(folder);
  expect(readFileSync(noted, 'utf8')).toMatch(/pitwall-profile-\w+.Crash Reports\n$/);
});

it.each([
  [[], []],
  [
    ['--enable-features=One', '--enable-quic', '--enable-features=Two:a/1,One'],
    ['One', 'Two:a/1'],
  ],
])('features of the flags %j are in one list, after those of Playwright', async (flags, own) => {
  const executablePath = path.join(folder, 'browser');
  const noted = path.join(folder, 'noted');
  writeFileSync(executablePath, `#!/bin/sh\nprintf '%s\\n' "$@" > '${noted}'\n`, { mode: 0o755 });
  await expect(start({ executablePath, flags })).rejects.toThrow();
  const lists = readFileSync(noted, 'utf8')
    .split('\n')
    .filter((each) => each.startsWith('--enable-features='))
    .map((each) => each.split('=')[1]!.split(','));
  // Chromium heeds only the last list.
  expect(lists.at(-1)).toEqual([...lists[0]!, ...own]);
  expect(lists[0]).toContain('CDPScreenshotNewSurface');
});
