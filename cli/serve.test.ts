import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import type { IncomingHttpHeaders } from 'node:http';
import { get } from 'node:https';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { startRaceServer } from '../lab/browser/chromium/raceServer.ts';
import { openChromium } from './openChromium.ts';
import { formatServed, mpdsIn, pageFacts, steeredLink } from './serve.ts';
import { spawn } from 'node:child_process';
import { tools } from '../lab/tools.ts';

const linesOf = (mpds: readonly string[] | null): string[] =>
  formatServed(
    { httpsUrl: 'https://localhost:8443' },
    { start: 'http://localhost:8080/', chromium: null, hasRaces: false, mpds, links: [], tcpOrigin: null },
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

const PAGE = 'http://localhost:8080/';
const TCP = { httpsUrl: 'https://localhost:8444' };

test('a link with steering is readable, and the page reads from it what was put in', () => {
  const link = steeredLink(PAGE, 'https://localhost:8443/content/a%20%26b.mpd', TCP);
  expect(link).toBe(
    `${PAGE}?mpd=https://localhost:8443/content/a%2520%2526b.mpd&pathway=tcp=https://localhost:8444&steering=throughput`,
  );
  expect([...new URL(link).searchParams]).toEqual([
    ['mpd', 'https://localhost:8443/content/a%20%26b.mpd'],
    ['pathway', 'tcp=https://localhost:8444'],
    ['steering', 'throughput'],
  ]);
});

test('says where the second port is, and prints the links', () => {
  const text = formatServed(
    { httpsUrl: 'https://localhost:8443' },
    { start: PAGE, chromium: null, hasRaces: false, mpds: null, links: [`${PAGE}?mpd=a`], tcpOrigin: TCP },
  );
  expect(text.split('\n').filter((line) => /^ {2}(tcp|steered) /.test(line))).toEqual([
    '  tcp      https://localhost:8444  (the same files over http/1.1 and h2 only)',
    `  steered  ${PAGE}?mpd=a`,
  ]);
});

test('the page learns what each port offers', () => {
  expect(pageFacts('localhost', { httpsPort: 8443 }, { tcpOrigin: TCP }).origins).toEqual([
    { url: 'https://localhost:8443', offers: ['http/1.1', 'h2', 'h3'] },
    { url: 'https://localhost:8444', offers: ['http/1.1', 'h2'] },
  ]);
});

test('the page learns where the demo is sent at a pace', () =>
  expect(pageFacts('localhost', { httpsPort: 8443 }).paces[0]).toEqual({
    label: 'A rate that changes',
    about: expect.stringMatching(/Mbit\/s/),
    demoUrl: 'https://localhost:8443/paced/changing/{viewer}/media/demo/manifest.mpd',
    plainDemoUrl: 'paced/changing/{viewer}/media/demo/manifest.mpd',
  }));

test('finds MPDs in a folder, and says when there is none to look into', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-mpds-'));
  for (const name of ['b.mpd', 'a.MPD', 'a.m4s']) writeFileSync(path.join(folder, name), '');
  expect(mpdsIn(folder)).toEqual(['a.MPD', 'b.mpd']);
  rmSync(folder, { recursive: true });
  expect(() => mpdsIn(folder)).toThrow(folder);
});

test('the NetLog of the opened browser is whole when it is closed; one that does not start is a sentence', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-opened-'));
  const [browser, copy] = [path.join(folder, 'browser'), path.join(folder, 'net.json')];
  writeFileSync(
    browser,
    `#!/bin/sh
for each; do case $each in --log-net-log=*) exec 3>"\${each#*=}";; esac; done
trap 'sleep 1; echo end >&3; exit 0' TERM
echo begin >&3
while :; do sleep 0.1; done
`,
    { mode: 0o700 },
  );
  const target = { origin: { host: 'localhost', httpsPort: 1, spki: '' }, start: PAGE };
  const races = await startRaceServer(copy);
  try {
    const opened = openChromium(browser, { ...target, netLogFile: races.netLogFile });
    await expect.poll(() => readFileSync(copy, 'utf8')).toBe('begin\n');
    await opened.close();
  } finally {
    await races.stop();
  }
  expect(readFileSync(copy, 'utf8')).toBe('begin\nend\n');
  writeFileSync(browser, '#!/bin/sh\nexit 127\n');
  await expect(openChromium(browser, target).closed).rejects.toThrow(
    `${browser}: It ended with the exit code 127.`,
  );
  rmSync(folder, { recursive: true });
  await expect(openChromium(browser, target).closed).rejects.toThrow(
    `${browser}: There is no such file or folder.`,
  );
  expect(readdirSync(tmpdir()).filter((name) => name.startsWith('pitwall-window-'))).toEqual([]);
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
);

/** The response headers of an address whose certificate is our own. */
const headersOf = (url: string): Promise<IncomingHttpHeaders> =>
  new Promise((resolve, reject) => {
    get(url, { rejectUnauthorized: false }, (answer) => {
      answer.resume().once('end', () => resolve(answer.headers));
    }).once('error', reject);
  });

test('with --pathways the same files come from a second port that does not announce h3', async () => {
  const args = [path.join(root, 'bin', 'pitwall'), 'serve', '--port', '0', '--https-port', '0'];
  const serve = spawn(process.execPath, [...args, '--pathways', '--tcp-port', '0'], { cwd: root });
  let [said, complaints] = ['', ''];
  serve.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
  const link = await new Promise<URL>((resolve, reject) => {
    serve.stdout.setEncoding('utf8').on('data', (text: string) => {
      said += text;
      const url = / {2}steered {2}(\S+)\n/.exec(said)?.[1];
      if (url) resolve(new URL(url));
    });
    serve.once('exit', () => reject(new Error(complaints)));
  });
  const mpd = link.searchParams.get('mpd')!;
  const tcp = link.searchParams.get('pathway')!.replace(/^tcp=/, '');
  expect(new URL(tcp).origin).not.toBe(new URL(mpd).origin);
  const [main, second] = [await headersOf(mpd), await headersOf(tcp + new URL(mpd).pathname)];
  expect(main['alt-svc']).toContain('h3=');
  expect(second['alt-svc']).toBeUndefined();
  expect(second['content-length']).toBe(main['content-length']);
  expect(second['access-control-allow-origin']).toBe('*');
  expect(second['timing-allow-origin']).toBe('*');
  expect((await fetch(link)).status).toBe(200);
  const ended = new Promise((resolve) => serve.once('close', resolve));
  serve.kill('SIGINT');
  await ended;
  expect(said).toContain('Stopped.');
  await expect(headersOf(mpd)).rejects.toThrow();
  await expect(headersOf(tcp)).rejects.toThrow();
});

test('a second port needs --pathways', async () => {
  const args = [path.join(root, 'bin', 'pitwall'), 'serve', '--port', '0', '--tcp-port', '0'];
  const serve = spawn(process.execPath, args, { cwd: root });
  let complaints = '';
  serve.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text));
  expect(await new Promise((resolve) => serve.once('exit', resolve))).toBe(2);
  expect(complaints).toContain('--tcp-port needs --pathways.');
});

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
  expect(complaints).toContain('choose another with --port, --https-port or --tcp-port');
  taken.close();
});

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
  expect(await new Promise((resolve) => serve.once('exit', resolve))).toBe(2);
  expect(complaints).toContain('--cc needs --origin instrumented');
});
