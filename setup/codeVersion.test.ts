import { execFileSync } from 'node:child_process';
import { chownSync, cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { buildMetadata, packageVersion } from './codeVersion.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pitwall-version-'));
  write('package.json', '{"version":"0.1.0"}');
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(root, { recursive: true, force: true });
});

const write = (name: string, text: string): void => {
  mkdirSync(path.dirname(path.join(root, name)), { recursive: true });
  writeFileSync(path.join(root, name), text);
};
const who = ['-c', 'user.name=a', '-c', 'user.email=a@example.org', '-c', 'commit.gpgsign=false'];
const git = (...args: string[]): string =>
  execFileSync('git', [...who, ...args], { cwd: root, encoding: 'utf8' }).trim();

test('a checkout has its commit, until a file of the code differs', () => {
  git('init', '--quiet');
  write('src/main.ts', '1');
  write('docs/page.md', 'a');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const clean = `+g${git('rev-parse', 'HEAD').slice(0, 10)}`;
  expect(buildMetadata(root)).toBe(clean);
  expect(buildMetadata(root)).toBe(clean);
  write('docs/page.md', 'b');
  write('campaigns/results/a.json', '{}');
  expect(buildMetadata(root)).toBe(clean);
  write('src/main.ts', '2');
  expect(buildMetadata(root)).toBe(`${clean}.dirty`);
  git('checkout', '--quiet', 'src');
  expect(buildMetadata(root)).toBe(clean);
});

test.runIf(process.getuid?.() === 0)('a checkout of another owner has its commit, too', () => {
  git('init', '--quiet');
  write('src/main.ts', '1');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  const clean = buildMetadata(root);
  expect(clean).toMatch(/^\+g[\da-f]{10}$/);
  for (const place of [root, path.join(root, '.git')]) chownSync(place, 65534, 65534);
  expect(buildMetadata(root)).toBe(clean);
  write('src/main.ts', '2');
  expect(buildMetadata(root)).toBe(`${clean}.dirty`);
});

test('without a repository there is only the version', () => {
  expect(buildMetadata(root)).toBe('');
  expect(packageVersion(root)).toBe('0.1.0');
});

test('without a repository there is the commit that is stated', () => {
  vi.stubEnv('PITWALL_COMMIT', '0123456789abcdef0123456789abcdef01234567.dirty');
  expect(buildMetadata(root)).toBe('+g0123456789.dirty');
  vi.stubEnv('PITWALL_COMMIT', 'main');
  expect(() => buildMetadata(root)).toThrow('PITWALL_COMMIT is "main", but a commit is expected');
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'first');
  expect(buildMetadata(root)).toMatch(/^\+g[\da-f]{10}$/);
});

test('a folder inside another repository does not take its commit', () => {
  const inside = path.join(root, 'node_modules', 'pitwall');
  mkdirSync(inside, { recursive: true });
  cpSync(path.join(root, 'package.json'), path.join(inside, 'package.json'));
  git('init', '--quiet');
  git('add', '.');
  git('commit', '--quiet', '-m', 'of somebody');
  expect(buildMetadata(root)).not.toBe('');
  expect(buildMetadata(inside)).toBe('');
});
