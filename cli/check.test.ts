import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { exampleLog } from '../src/telemetry/exampleLog.testing.ts';

const root = path.dirname(import.meta.dirname);
const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-check-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function pitwall(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [path.join(root, 'bin', 'pitwall'), ...args],
    {
      encoding: 'utf8',
      cwd: folder,
    },
  );
  return { status, stdout, stderr };
}

function file(name: string, text: string): string {
  writeFileSync(path.join(folder, name), text);
  return name;
}

const good = JSON.stringify(exampleLog());

describe('pitwall check', () => {
  it('passes a valid log and says what is in it', () => {
    const { status, stdout } = pitwall('check', file('good.json', good));
    expect(stdout).toMatch(/^good\.json: valid pitwall-session\/2, \d+ events \(/);
    expect(status).toBe(0);
  });

  it.each([
    ['cut.json', good.slice(0, -20), /cut\.json: The file is cut off/],
    ['text.json', 'hello', /text\.json: The file is not JSON/],
    [
      'newer.json',
      good.replace('session/2', 'session/9'),
      /newer\.json: The file is of schema "pitwall-session\/9"/,
    ],
    ['range.json', good.replace(/"atMs":[\d.]+/, '"atMs":-1'), /range\.json: .*\/events\/0.*atMs/],
  ])('says what is wrong with %s and where', (name, text, sentence) => {
    const { status, stderr } = pitwall('check', file(name, text));
    expect(stderr).toMatch(sentence);
    expect(stderr.trim().split('\n')).toHaveLength(1);
    expect(status).toBe(1);
  });

  it('shows control characters of a name, and does not obey them', () => {
    const { stdout, stderr } = pitwall('check', file('\x1b[31mred.json', good), 'gone\x1b[2J.json');
    expect(stdout).toMatch(/^\\u001b\[31mred\.json: valid/);
    expect(stderr).toBe('gone\\u001b[2J.json: cannot be read (ENOENT).\n');
  });

  it('reports every file, good and bad, and a file that is not there', () => {
    const { status, stdout, stderr } = pitwall('check', file('good.json', good), 'gone.json');
    expect(stdout).toContain('good.json: valid');
    expect(stderr).toContain('gone.json: cannot be read (ENOENT).');
    expect(status).toBe(1);
  });
});

describe('pitwall', () => {
  it.each(['serve', 'compare', 'check', 'races', 'content', 'replay', 'bench', 'screenshots'])(
    '%s --help explains itself',
    (command) => {
      const { status, stdout } = pitwall(command, '--help');
      expect(stdout).toContain(`Usage: pitwall ${command}`);
      expect(status).toBe(0);
    },
  );

  it('does not mind a reader that stops early', () => {
    const command = `"${process.execPath}" "${path.join(root, 'bin', 'pitwall')}" compare --help | head -1`;
    const { stderr } = spawnSync('sh', ['-c', command], { encoding: 'utf8' });
    expect(stderr).toBe('');
  });

  it('names an unknown command and ends with 2', () => {
    const { status, stderr } = pitwall('race');
    expect(stderr).toContain("unknown command 'race'");
    expect(status).toBe(2);
  });
});
