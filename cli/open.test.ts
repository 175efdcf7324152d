import { execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openedLogs } from './open.ts';

const root = path.dirname(import.meta.dirname);
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'pitwall-open-'));
  mkdirSync(path.join(folder, 'sessions'));
  for (const name of ['b a', 'c', 'd.partial'])
    writeFileSync(path.join(folder, 'sessions', `${name}.json`), '{}');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('openedLogs', () => {
  test('a folder is served as /campaign, in the order of its plan', () => {
    writeFileSync(
      path.join(folder, 'plan.json'),
      JSON.stringify({
        sessions: [
          { id: 'c', design: { pair: '1', arm: 'x' } },
          { id: 'b a', design: { pair: '2', arm: 'x' } },
        ],
      }),
    );
    writeFileSync(path.join(folder, 'report.html'), '');
    expect(openedLogs([folder])).toEqual({
      mounts: { '/campaign': folder },
      addresses: ['campaign/sessions/c.json', 'campaign/sessions/b%20a.json'],
      report: 'campaign/report.html',
    });
  });
  test('what the plan of a campaign compares is known to the page', () => {
    writeFileSync(
      path.join(folder, 'plan.json'),
      JSON.stringify({ campaign: { compare: 'transfers' }, sessions: [] }),
    );
    expect(openedLogs([folder]).addresses).toEqual([
      'campaign/sessions/b%20a.json?by=transfers',
      'campaign/sessions/c.json?by=transfers',
    ]);
  });
  test('links to folders are not followed, and a pipe is no log', () => {
    const expected = openedLogs([folder]);
    for (const name of ['a', 'b']) symlinkSync('.', path.join(folder, name));
    symlinkSync('/', path.join(folder, 'sessions', 'all'));
    execFileSync('mkfifo', [path.join(folder, 'sessions', 'pipe.json')]);
    expect(openedLogs([folder])).toEqual(expected);
  });
  test('files are served by the folders they lie in', () => {
    const files = ['c', 'b a'].map((name) => path.join(folder, 'sessions', `${name}.json`));
    expect(openedLogs(files)).toMatchObject({
      addresses: ['logs/1/c.json', 'logs/2/b%20a.json'],
      report: null,
    });
  });
  test('what is not there, or has no log, is a sentence', () => {
    expect(() => openedLogs([path.join(folder, 'none')])).toThrow(/none: There is no such file or folder\.$/);
    const empty = path.join(folder, 'empty');
    mkdirSync(empty);
    expect(() => openedLogs([empty])).toThrow(/empty: There is no session log \(\.json\) in this folder\.$/);
    mkdirSync(path.join(empty, 'rows'));
    expect(() => openedLogs([empty])).toThrow(
      /empty: This folder has rows of metrics \(.+\) without session logs/,
    );
  });
});

it('serves the page with the list of logs, and leaves nothing behind when it is stopped', async () => {
  const args = [path.join(root, 'bin', 'pitwall'), 'open', folder, '--no-window'];
  const open = spawn(process.execPath, args, { cwd: root });
  let said = '';
  let complaints = '';
  open.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
  const start = await new Promise<string>((resolve, reject) => {
    open.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = /Side by side:\s+(\S+)/.exec(said)?.[1];
      if (url) resolve(url);
    });
    open.once('exit', () => reject(new Error(complaints)));
  });
  expect(start).toMatch(/^http:\/\/localhost:\d+\/\?logs=logs\.json$/);
  expect((await fetch(start)).headers.get('content-type')).toContain('text/html');
  const list = (await (await fetch(new URL('logs.json', start))).json()) as string[];
  expect(list).toEqual(['campaign/sessions/b%20a.json', 'campaign/sessions/c.json']);
  expect(await (await fetch(new URL(list[0]!, start))).text()).toBe('{}');
  const closed = new Promise<unknown[]>((resolve) => open.once('close', (...end) => resolve(end)));
  open.kill('SIGINT');
  const [code, signal] = await closed;
  expect([0, 'SIGINT']).toContain(code ?? signal);
  expect(said + complaints).not.toContain('Error');
  await expect(fetch(start)).rejects.toThrow();
});
