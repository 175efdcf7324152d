import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { cacheFolder } from './cacheFolder.mjs';
import { requireNode, requirePath } from './installation.mjs';
import { playwrightCounts, playwrightSkips, sumCounts, vitestCounts, vitestSkips } from './testRunners.mjs';
import { unzipOne } from './pinnedWheel.mjs';
import { whileLocked } from './whileLocked.mjs';
import { zip } from './zip.testing.ts';

describe('cacheFolder', () => {
  it.each([
    [{ PITWALL_CACHE: '/a/b', XDG_CACHE_HOME: '/x' }, '/a/b'],
    [{ XDG_CACHE_HOME: '/x' }, '/x/pitwall'],
  ])('%j', (environment, folder) => expect(cacheFolder(environment, 'linux')).toBe(folder));
});

describe('requireNode', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0'])('takes %s', (version) => requireNode(version));
  it.each(['18.20.0', '20.18.9'])('refuses %s in a sentence', (version) =>
    expect(() => requireNode(version)).toThrow(`this is Node ${version}, and Pitwall needs 20.19 or newer`),
  );
});

describe('requirePath', () => {
  it.each(['/home/é a/pitwall', "/a'b/%20"])('takes %s', (folder) => requirePath(folder));
  it.each(['/c#/pitwall', '/what?/pitwall'])('refuses %s in a sentence', (folder) =>
    expect(() => requirePath(folder)).toThrow(
      /^\/.* has "[#?]" in its path, and the page cannot be built there: move it$/,
    ),
  );
});

describe('unzipOne', () => {
  const text = Buffer.from('caddy '.repeat(100));

  it.each([0, 8] as const)('reads an entry packed with method %i', (method) =>
    expect(unzipOne(zip('x/scripts/caddy', text, method), (name: string) => name.endsWith('caddy'))).toEqual(
      text,
    ),
  );
  it('says when the file is not in there', () =>
    expect(() => unzipOne(zip('a', text, 8), () => false)).toThrow('does not have the file'));
  it('says when it is no archive', () =>
    expect(() => unzipOne(Buffer.from('hello'), () => true)).toThrow('not a ZIP archive, or it is cut off'));
});

describe('the closing line', () => {
  it('counts a file that could not be read as a failure', () =>
    expect(
      vitestCounts({
        numPassedTests: 5,
        numFailedTests: 0,
        numPendingTests: 1,
        testResults: [{ status: 'failed', assertionResults: [] }],
      }),
    ).toEqual({ passed: 5, failed: 1, skipped: 1 }));
  it('counts flaky as failed', () =>
    expect(playwrightCounts({ stats: { expected: 3, unexpected: 1, flaky: 1, skipped: 2 } })).toEqual({
      passed: 3,
      failed: 2,
      skipped: 2,
    }));
  it('names what was skipped', () => {
    const results = [
      { status: 'passed', fullName: 'a' },
      { status: 'skipped', fullName: 'b: needs published traces' },
    ];
    expect(vitestSkips({ testResults: [{ assertionResults: results }] })).toEqual([
      'b: needs published traces',
    ]);
    const specs = [
      { ok: true, title: 'c', tests: [{ status: 'expected' }] },
      { ok: true, title: 'd', tests: [{ status: 'skipped' }] },
    ];
    expect(playwrightSkips({ suites: [{ title: 'x', suites: [{ title: 'y', specs }] }] })).toEqual(['y: d']);
  });
  it('sums the runners', () =>
    expect(
      sumCounts([
        { passed: 1, failed: 0, skipped: 2 },
        { passed: 3, failed: 1, skipped: 0 },
      ]),
    ).toEqual({ passed: 4, failed: 1, skipped: 2 }));
});

describe('whileLocked', () => {
  const inFolder = (check: (lockFile: string) => void): void => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-lock-'));
    try {
      check(path.join(folder, 'below', 'lock'));
    } finally {
      rmSync(folder, { recursive: true });
    }
  };

  it('holds the lock while it works, and lets go also after a failure', () =>
    inFolder((lockFile) => {
      expect(whileLocked(lockFile, () => readFileSync(lockFile, 'utf8'))).toBe(String(process.pid));
      expect(existsSync(lockFile)).toBe(false);
      expect(() =>
        whileLocked(lockFile, () => {
          throw new Error('no');
        }),
      ).toThrow('no');
      expect(existsSync(lockFile)).toBe(false);
    }));

  it('takes over from a process that is gone', () =>
    inFolder((lockFile) => {
      const { pid } = spawnSync(process.execPath, ['-e', '']);
      whileLocked(lockFile, () => {});
      writeFileSync(lockFile, String(pid));
      expect(whileLocked(lockFile, () => 'done')).toBe('done');
    }));

  it('waits for a process that works', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-lock-'));
    const lockFile = path.join(folder, 'lock');
    const script = `
      const fs = require('fs');
      fs.writeFileSync(process.argv[1], String(process.pid));
      console.log('held');
      setTimeout(() => fs.rmSync(process.argv[1]), 500);
    `;
    const holder = spawn(process.execPath, ['-e', script, lockFile], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    try {
      await once(holder.stdout, 'data');
      const held = readFileSync(lockFile, 'utf8');
      expect(whileLocked(lockFile, () => readFileSync(lockFile, 'utf8'))).toBe(String(process.pid));
      expect(held).toBe(String(holder.pid));
    } finally {
      holder.kill();
      rmSync(folder, { recursive: true });
    }
  });
});
