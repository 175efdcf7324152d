import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { mpdsIn, formatServed } from './serve.ts';
import { spawn } from 'node:child_process';
import { tools } from '../lab/tools.ts';

const linesOf = (mpds: readonly string[] | null): string[] =>
  formatServed(
    { httpsUrl: 'https://localhost:8443' },
    { start: 'http://localhost:8080/', chromium: null, mpds },
  )
    .split('\n')
    .filter((line) => line.startsWith('  content'));

test.each([
  ['no folder of its own', null, []],
  [
    'the MPDs of a folder',
    ['a film.mpd', 'b.mpd'],
    [
      '  content  https://localhost:8443/content/a%20film.mpd',
      '  content  https://localhost:8443/content/b.mpd',
    ],
  ],
  [
    'a folder without',
    [],
    [
      '  content  https://localhost:8443/content/  (your folder has no MPD at its top level: add the path of one below it)',
    ],
  ],
])('says where content is: %s', (_, mpds, lines) => expect(linesOf(mpds)).toEqual(lines));

test('finds MPDs in a folder, and says when there is none to look into', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-mpds-'));
  for (const name of ['b.mpd', 'a.MPD', 'a.m4s']) writeFileSync(path.join(folder, name), '');
  expect(mpdsIn(folder)).toEqual(['a.MPD', 'b.mpd']);
  rmSync(folder, { recursive: true });
  expect(() => mpdsIn(folder)).toThrow(folder);
});

const root = path.dirname(import.meta.dirname);

const origins = ['caddy', 'instrumented'].filter(
  (name) => name === 'caddy' || tools().origin !== null || process.env['CI'] === 'true',
);

test.each(origins)(
  'serves app and origin (%s), and leaves nothing behind when it is stopped',
  async (name) => {
    const args = [
      path.join(root, 'bin', 'pitwall'),
      'serve',
      '--port',
      '0',
      '--https-port',
      '0',
      '--origin',
      name,
    ];
    const serve = spawn(process.execPath, args, { cwd: root });
    let said = '';
    let complaints = '';
    serve.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
    const start = await new Promise<string>((resolve, reject) => {
      serve.stdout.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const url = /Pitwall is ready:\s+(\S+)/.exec(said)?.[1];
        if (url) resolve(url);
      });
      serve.once('exit', () => reject(new Error(complaints)));
    });
    const page = await fetch(start);
    expect(page.status).toBe(200);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self'");
    const facts = (await (await fetch(`${start}pitwall.json`)).json()) as { demoUrl: string };
    expect(facts.demoUrl).toMatch(/^https:\/\/localhost:\d+\/media\/demo\/manifest\.mpd$/);
    serve.kill('SIGINT');
    serve.kill('SIGINT');
    const [code, signal] = await new Promise<unknown[]>((resolve) =>
      serve.once('close', (...end) => resolve(end)),
    );
    expect(said).toContain('Stopped.');
    // On a busy machine the second signal may come when all is done and Node has let go of its handlers.
    expect([0, 'SIGINT']).toContain(code ?? signal);
    expect(said + complaints).not.toContain('Error');
    await expect(fetch(start)).rejects.toThrow();
  },
  60_000,
);

test('says which port is in use', async () => {
  const { createServer } = await import('node:net');
  const taken = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => taken.once('listening', resolve));
  const { port } = taken.address() as { port: number };
  const args = [path.join(root, 'bin', 'pitwall'), 'serve', '--port', String(port), '--https-port', '0'];
  const serve = spawn(process.execPath, args, { cwd: root });
  let complaints = '';
  serve.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
  expect(await new Promise((resolve) => serve.once('exit', resolve))).toBe(1);
  expect(complaints).toContain(`Port ${port} is already in use`);
  taken.close();
}, 60_000);

test('does not report a controller for Caddy that Caddy does not run', async () => {
  const args = [
    path.join(root, 'bin', 'pitwall'),
    'serve',
    '--port',
    '0',
    '--https-port',
    '0',
    '--cc',
    'bbr',
  ];
  const serve = spawn(process.execPath, args, { cwd: root });
  let complaints = '';
  serve.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
  expect(await new Promise((resolve) => serve.once('exit', resolve))).toBe(1);
  expect(complaints).toContain('--cc needs --origin instrumented');
}, 60_000);
