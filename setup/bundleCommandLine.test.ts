import { cpSync, mkdirSync, mkdtempSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { bundleCommandLine, fingerprint, separateEntries } from './bundleCommandLine.mjs';

let root = '';
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'pitwall-bundle-'));
  mkdirSync(path.join(root, 'cli', 'export'), { recursive: true });
  writeFileSync(path.join(root, 'package.json'), '{"version":"0.1.0"}');
  writeFileSync(path.join(root, 'cli', 'export', 'a.ts'), '1');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

test('a checkout that is mounted elsewhere needs no other bundle, and changed sources need one', () => {
  const before = fingerprint(root, '+g0123456789');
  const elsewhere = `${root}-elsewhere`;
  renameSync(root, elsewhere);
  try {
    expect(fingerprint(elsewhere, '+g0123456789')).toBe(before);
    expect(fingerprint(elsewhere, '+g9876543210')).not.toBe(before);
    writeFileSync(path.join(elsewhere, 'cli', 'export', 'a.ts'), '12');
    expect(fingerprint(elsewhere, '+g0123456789')).not.toBe(before);
  } finally {
    cpSync(elsewhere, root, { recursive: true });
    rmSync(elsewhere, { recursive: true });
  }
});

test('a checkout that cannot be written is a sentence', async () => {
  // Root may write everywhere, but not into a file.
  writeFileSync(path.join(root, '.pitwall'), '');
  await expect(bundleCommandLine(root)).rejects.toThrow(
    /^\/.*cli: The command line must be built here once, and this user cannot write there\. Let the owner [^\n]*$/,
  );
});

test('a build that another launch has just moved away does not matter', async () => {
  for (const file of [path.join(root, 'cli', 'main.ts'), ...Object.values(separateEntries(root))]) {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, 'export {};');
  }
  const folder = path.join(root, '.pitwall', 'cli');
  mkdirSync(folder, { recursive: true });
  symlinkSync(path.join(root, 'moved-away'), path.join(folder, 'listed.1234'));
  const bundle = await bundleCommandLine(root);
  expect(path.basename(bundle)).toBe('main.mjs');
  expect(await bundleCommandLine(root)).toBe(bundle);
});
