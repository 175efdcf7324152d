import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
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
const start = (changes: { executablePath: string; profileDir?: string }) =>
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
