import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { connect as connectH2 } from 'node:http2';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccessLog } from './accessLog.ts';
import { contentSecurityPolicy, foreignContentPolicy } from './caddyfile.ts';
import type { Origin } from './origin.ts';
import { startCaddy } from './startCaddy.ts';
import { startInstrumentedOrigin } from '../origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../tools.ts';

/** What nobody may get from either origin, and what pages of others may read of it: one behaviour. */

const SECRET = 'outside of the folder';
const HOSTILE_LINK = 'a {link}*"`$1';
const folder = mkdtempSync(join(tmpdir(), 'pitwall-exposure-'));
/** To Caddy, a placeholder for a part of the request. */
const root = join(folder, '{http.request.uri.query.d}');
const app = join(folder, 'app {http.request.uri.query.d}');
const accessLogFile = join(folder, 'run {x}', 'access.jsonl');
/** Folders that a configuration could take for something else. */
const HOSTILE_FOLDERS = [
  ...['show {2024}', '{$HOME}', '{$NONE:..}', '{path}', '{args[0]}', '{', '}', '{{x}}', '\\{x\\}'],
  ...[
    'a "quoted" name',
    "it's",
    'back\\slash',
    'a\\"b',
    '`tick`',
    '# none',
    'two\nlines',
    'ends\\',
    '{env.HOME}',
  ],
];
const ANSWER = [
  'campaign/session.json',
  '{path} {http.request.uri.query.d} {$HOME} "quoted" \\ \n',
  { a: {} },
];
let origin: Origin;

const hasOurs = tools().origin !== null || process.env['CI'] === 'true';
const origins = [
  { name: 'Caddy', start: startCaddy },
  { name: 'the instrumented origin', start: startInstrumentedOrigin },
].filter(({ name }) => name === 'Caddy' || hasOurs);

interface Asked {
  readonly path: string;
  readonly host?: string;
}

interface Answer {
  readonly status: number;
  /** Null where the client does not tell. */
  readonly headers: Readonly<Record<string, string | undefined>> | null;
  readonly body: string;
}

/** On the plain port, byte by byte: a client would tidy the path up. */
function askH1({ path, host = 'localhost' }: Asked): Promise<Answer> {
  return send(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
}

function send(text: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let answer = '';
    const socket = connect(origin.httpPort, '127.0.0.1', () => socket.write(text));
    socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
    socket.once('error', reject).once('close', () => {
      const [head = '', ...body] = answer.split('\r\n\r\n');
      const [first = '', ...lines] = head.split('\r\n');
      const headers = lines.map((line) => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]);
      resolve({
        status: Number(first.split(' ')[1]),
        headers: Object.fromEntries(headers),
        body: body.join('\r\n\r\n'),
      });
    });
  });
}

function askH2({ path, host = 'localhost' }: Asked): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session = connectH2(`https://localhost:${origin.httpsPort}`, { rejectUnauthorized: false });
    session.once('error', reject);
    const stream = session.request({ ':path': path, ':authority': `${host}:${origin.httpsPort}` });
    let [body, status, headers] = ['', 0, {}];
    stream.once('response', (received) => {
      status = received[':status'] ?? 0;
      headers = received;
    });
    stream.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    stream.once('error', reject).once('end', () => {
      session.close();
      resolve({ status, headers, body });
    });
  });
}

/** Set-up puts a client of h3 beside our own origin. It tells the status alone. */
function askH3({ path, host = 'localhost' }: Asked): Promise<Answer> {
  const at = ['--address', `127.0.0.1:${origin.httpsPort}`, '--host', host, '--path', path];
  const program = join(dirname(requireTool('origin')), 'pitwall-load');
  const args = ['--protocol', 'h3', '--requests', '1', '--seconds', '10', ...at];
  const { stdout, stderr } = spawnSync(program, args, { encoding: 'utf8' });
  const status = /"status":(\d+)|"why":"status (\d+)/.exec(stdout);
  if (status === null) throw new Error(`no answer over h3: ${stdout}${stderr}`);
  return Promise.resolve({ status: Number(status[1] ?? status[2]), headers: null, body: '' });
}

const protocols = [
  { protocol: 'http/1.1', ask: askH1 },
  { protocol: 'h2', ask: askH2 },
  { protocol: 'h3', ask: askH3 },
].filter(({ protocol }) => protocol !== 'h3' || hasOurs);

beforeAll(() => {
  mkdirSync(join(root, 'sub'), { recursive: true });
  mkdirSync(join(root, 'clean'));
  mkdirSync(join(root, '.git'));
  mkdirSync(app);
  mkdirSync(dirname(accessLogFile));
  for (const name of HOSTILE_FOLDERS) {
    mkdirSync(join(folder, 'named', name), { recursive: true });
    writeFileSync(join(folder, 'named', name, 'a.m4s'), name);
  }
  writeFileSync(join(folder, 'secret'), SECRET);
  writeFileSync(join(app, 'index.html'), '<!doctype html>');
  writeFileSync(join(app, '.env'), SECRET);
  for (const [name, target] of Object.entries({
    out: '../secret',
    up: '..',
    shown: '.env',
    in: 'index.html',
  }))
    symlinkSync(target, join(app, name));
  for (const file of ['a.m4s', 'page.html', 'picture.svg', 'sub/b.m4s', 'clean/c.m4s', 'session.json'])
    writeFileSync(join(root, file), '0123456789');
  for (const file of ['.env', '.git/config', 'sub/.env']) writeFileSync(join(root, file), SECRET);
  const links = {
    inside: 'a.m4s',
    'folder-inside': 'clean',
    out: '../secret',
    up: '..',
    etc: '/etc',
    shown: '.env',
    round: '.',
    nowhere: 'none',
    'sub/out': '../../secret',
    'to-sub': 'sub',
    [HOSTILE_LINK]: '../secret',
  };
  for (const [name, target] of Object.entries(links)) symlinkSync(target, join(root, name));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe.each(origins)('$name', ({ start }) => {
  beforeAll(async () => {
    origin = await start({
      host: 'origin.test',
      mounts: {
        '/media': root,
        '/campaign': { privateFolder: root },
        ...Object.fromEntries(
          HOSTILE_FOLDERS.map((name, index) => [`/named/${index}`, join(folder, 'named', name)]),
        ),
      },
      appFolder: app,
      accessLogFile,
      answers: () => ({ '/logs.json': JSON.stringify(ANSWER) }),
    });
  });
  afterAll(() => origin.stop());

  describe.each(protocols)('over $protocol', ({ protocol, ask }) => {
    test.each([
      '/media/../secret',
      '/media/%2e%2e/secret',
      '/media/%2e%2e%2fsecret',
      '/media/..%2fsecret',
      '/media/%252e%252e/secret',
      '/media/..%5csecret',
      '/media/./../root/../secret',
      '/no-tao/media/../../secret',
      `/media/${'../'.repeat(50)}etc/passwd`,
      '/media//../../secret',
    ])('does not leave the folder for %s', async (path) => {
      const { status, body } = await ask({ path });
      expect(status).toBe(404);
      expect(body).not.toContain(SECRET);
    });

    test.each([
      ...['out', 'up/secret', 'etc/passwd', 'shown', 'nowhere', 'sub/out', 'to-sub/out', 'round/out'],
      ...['OUT', encodeURIComponent(HOSTILE_LINK)],
      ...['.env', '%2eenv', '.git/config', '.git/', 'sub/.env', 'clean/.%2e/.env', './/.env', '.none'],
    ])('has no link out of the folder, and nothing hidden: %s', async (name) => {
      // A client of h3 is a process for each request.
      for (const prefix of protocol === 'h3' ? ['/media'] : ['/media', '/no-tao/media', '/campaign']) {
        const { status, body } = await ask({ path: `${prefix}/${name}` });
        expect(status, prefix).toBe(404);
        expect(body).not.toContain(SECRET);
      }
    });

    test.each(['a.m4s', 'inside', 'folder-inside/c.m4s', 'sub/b.m4s'])(
      'has what lies in the folder: %s',
      async (name) => expect((await ask({ path: `/media/${name}` })).status).toBe(200),
    );

    test.each([
      [200, ['localhost', '127.0.0.1', 'origin.test', 'cell-1.origin.test', 'LOCALHOST']],
      [421, ['attacker.test', 'localhost.attacker.test', 'a.b.origin.test', '192.0.2.1']],
    ])('answers %i for its own names alone', async (status, hosts) => {
      for (const host of hosts)
        expect((await ask({ path: '/campaign/session.json', host })).status, host).toBe(status);
    });
  });

  describe.each(protocols.filter(({ protocol }) => protocol !== 'h3'))(
    'over $protocol, its headers',
    ({ ask }) => {
      test('let pages of others read media, and nothing else', async () => {
        for (const path of ['/media/a.m4s', '/media/none.m4s', '/status/503/media/a.m4s']) {
          const { headers } = await ask({ path });
          expect(headers?.['access-control-allow-origin'], path).toBe('*');
          expect(headers?.['timing-allow-origin'], path).toBe('*');
        }
        for (const path of ['/campaign/session.json', '/campaign/none', '/campaign/.env']) {
          const { headers } = await ask({ path });
          const reported = Object.keys(headers ?? {}).filter((name) =>
            /^access-control|^timing-allow/.test(name),
          );
          expect(reported, path).toEqual([]);
        }
        expect((await ask({ path: '/no-tao/campaign/session.json' })).status).toBe(404);
      });

      test('let no file of others run as a page', async () => {
        for (const path of ['/media/page.html', '/media/picture.svg', '/campaign/page.html', '/media/none'])
          expect((await ask({ path })).headers, path).toMatchObject({
            'content-security-policy': foreignContentPolicy,
            'x-content-type-options': 'nosniff',
          });
      });
    },
  );

  test('the app and its answers are its own alone, and the app runs', async () => {
    const [page, answer] = [await askH1({ path: '/' }), await askH1({ path: '/logs.json?d=x' })];
    expect(page).toMatchObject({ status: 200, body: '<!doctype html>' });
    expect(page.headers?.['content-security-policy']).toBe(contentSecurityPolicy);
    expect(answer.status).toBe(200);
    expect(JSON.parse(answer.body)).toEqual(ANSWER);
    expect(answer.headers?.['content-security-policy']).toBe(foreignContentPolicy);
    for (const { headers } of [page, answer]) {
      expect(headers?.['x-content-type-options']).toBe('nosniff');
      expect(headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  test.each(HOSTILE_FOLDERS.map((name, index) => ({ name, index })))(
    'a folder may be called $name',
    async ({ name, index }) => {
      expect(await askH1({ path: `/named/${index}/a.m4s?d=..` })).toMatchObject({ status: 200, body: name });
    },
  );

  test.each(['/media/secret?d=.', '/campaign/secret?d=.', '/secret?d=.', '/media/passwd?d=../../etc'])(
    'the request names no folder: %s',
    async (path) => {
      const { status, body } = await askH1({ path });
      expect(status).toBe(404);
      expect(body).not.toContain(SECRET);
    },
  );

  test.each([...['/out', '/up/secret', '/shown', '/.env', '/%2eenv', '/../secret', '/OUT']])(
    'the app is served by the same rules: %s',
    async (path) => {
      const { status, body } = await askH1({ path });
      expect(status).toBe(404);
      expect(body).not.toContain(SECRET);
      expect((await askH1({ path: '/in' })).status).toBe(200);
    },
  );

  test('its log is where it was asked for, whatever the name of the folder', async () => {
    await askH1({ path: '/media/a.m4s?logged' });
    await expect
      .poll(() => readAccessLog(accessLogFile).map(({ uri }) => uri))
      .toContain('/media/a.m4s?logged');
  });

  test.each([
    ['no Host', ''],
    ['two Hosts', 'Host: localhost\r\nHost: localhost\r\n'],
    ['another Host behind', 'Host: localhost\r\nHost: attacker.test\r\n'],
  ])('a request with %s is 400', async (_, lines) => {
    const { status } = await send(`GET /media/a.m4s HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`);
    expect(status).toBe(400);
  });

  test('another name in the target is another name, whatever the Host', async () => {
    const target = 'GET http://attacker.test/media/a.m4s HTTP/1.1';
    const { status } = await send(`${target}\r\nHost: localhost\r\nConnection: close\r\n\r\n`);
    expect(status).toBe(421);
  });
});
