import { spawnSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { Agent, request, type IncomingMessage } from 'node:http';
import { connect as connectH2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccessLog } from '../caddy/accessLog.ts';
import type { Origin } from '../caddy/origin.ts';
import { requireTool, tools } from '../tools.ts';
import { startInstrumentedOrigin } from './startInstrumentedOrigin.ts';

const SECRET = 'outside of the root';
const folder = mkdtempSync(join(tmpdir(), 'pitwall-hostile-'));
let origin: Origin;

describe.skipIf(tools().origin === null && process.env['CI'] !== 'true')('the instrumented origin', () => {
  beforeAll(async () => {
    mkdirSync(join(folder, 'root'));
    writeFileSync(join(folder, 'secret'), SECRET);
    writeFileSync(join(folder, 'root', 'a.m4s'), '0123456789');
    symlinkSync('../secret', join(folder, 'root', 'link'));
    origin = await startInstrumentedOrigin({ mounts: { '/media': join(folder, 'root') } });
  });
  afterAll(async () => {
    await origin.stop();
    rmSync(folder, { recursive: true });
  });

  /** Bytes as they are, without a client that would tidy them up; everything that came back until the end. */
  function send(text: string): Promise<string> {
    return new Promise((resolve) => {
      let answer = '';
      const socket: Socket = connect(origin.httpPort, '127.0.0.1', () => socket.write(text));
      socket.setEncoding('utf8').on('data', (chunk: string) => (answer += chunk));
      socket.on('error', () => {}).on('close', () => resolve(answer));
    });
  }
  const get = (target: string, more = ''): Promise<string> =>
    send(`GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n${more}\r\n`);
  const stillServes = async (): Promise<void> =>
    expect(await (await fetch(`${origin.httpUrl}/media/a.m4s`)).text()).toBe('0123456789');

  test.each([
    '/media/../secret',
    '/media/%2e%2e/secret',
    '/media/..%2fsecret',
    '/media/%252e%252e/secret',
    '/media/..%252fsecret',
    '/media/..\\secret',
    '/media/a.m4s%00.mpd',
    '/media/%2e%2e%2fsecret',
    '/media/..%5csecret',
    '/media//../../secret',
    '/media/link',
    '/media/./../root/../secret',
    '/no-tao/../media/../secret',
    '/media/%00',
    '/media/%c0%ae%c0%ae/secret',
    `/media/${'../'.repeat(200)}etc/passwd`,
    '/media',
    '/../secret',
  ])('does not leave its root for %s', async (target) => {
    const answer = await get(target);
    expect(answer).toMatch(/^HTTP\/1\.1 (404|400) /);
    expect(answer).not.toContain(SECRET);
    expect(answer).not.toContain('root:');
  });

  test.each([
    'GET /media/a.m4s HTTP/1.1\nHost: localhost\nConnection: close\n\n',
    'GET /media/a.m4s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\n',
    'GET /media/a.m4s HTTP/1.1\r\nHost: localhost\nX: y\r\nConnection: close\r\n\r\n',
    'POST /media/a.m4s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n\n\nGET / HTTP/1.1\n\n',
  ])('takes no LF alone for the end of a line: %j', async (text) => {
    expect(await send(text)).toMatch(/^HTTP\/1\.1 4(00|05) [^]*$/);
    expect((await send(text)).split('HTTP/1.1 ').at(-1)).toMatch(/^400 /);
  });

  test('takes LF alone in a body for what it is', async () => {
    const asked = 'POST /media/a.m4s HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n\n\n';
    const next = 'GET /media/a.m4s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n';
    expect(await send(asked + next)).toMatch(/^HTTP\/1\.1 405 [^]*HTTP\/1\.1 200 [^]*0123456789$/);
  });

  test('answers 503 while no file can be opened, and serves again afterwards', async () => {
    const program = join(folder, 'few-files.sh');
    writeFileSync(program, `#!/bin/sh\nulimit -n 40\nexec "${requireTool('origin')}" "$@"\n`, {
      mode: 0o755,
    });
    const few = await startInstrumentedOrigin({ program, mounts: { '/media': join(folder, 'root') } });
    const idle: Socket[] = [];
    const first = new Agent({ keepAlive: true, maxSockets: 1 });
    const ask = () =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const sent = request(`${few.httpUrl}/media/a.m4s`, { agent: first }, (answer) => {
          answer.resume().once('end', () => resolve(answer));
        });
        sent.once('error', reject).end();
      });
    try {
      expect((await ask()).statusCode).toBe(200);
      for (let index = 0; index < 60; index += 1)
        idle.push(connect(few.httpPort, '127.0.0.1').on('error', () => {}));
      await expect.poll(async () => (await ask()).statusCode).toBe(503);
      expect((await ask()).headers['retry-after']).toBe('1');
      for (const socket of idle) socket.destroy();
      await expect.poll(async () => (await ask()).statusCode).toBe(200);
    } finally {
      first.destroy();
      for (const socket of idle) socket.destroy();
      await few.stop();
    }
  });

  test('answers absurd ranges with the file, a part of it or 416', async () => {
    expect(await get('/media/a.m4s', 'Range: bytes=99999999999999999999-\r\n')).toMatch(/^HTTP\/1\.1 416 /);
    expect(await get('/media/a.m4s', 'Range: bytes=-0\r\n')).toContain('content-range: bytes */10');
    expect(await get('/media/a.m4s', `Range: bytes=${'0-9,'.repeat(2000)}0-9\r\n`)).toMatch(
      /^HTTP\/1\.1 200 /,
    );
    const several = await get('/media/a.m4s', 'Range: bytes=0-1,-2\r\n');
    expect(several).toMatch(/^HTTP\/1\.1 206 /);
    const length = Number(/content-length: (\d+)/.exec(several)?.[1]);
    expect(several.slice(several.indexOf('\r\n\r\n') + 4).length).toBe(length);
  });

  test('survives 10,000 headers, a header without end, and what is no HTTP', async () => {
    const many = Array.from({ length: 10_000 }, (_, index) => `X-${index}: 1\r\n`).join('');
    expect(await get('/media/a.m4s', many)).toMatch(/^HTTP\/1\.1 431 |^$/);
    expect(await get('/media/a.m4s', `X: ${'y'.repeat(2_000_000)}\r\n`)).toMatch(/^HTTP\/1\.1 4(31|00) |^$/);
    expect(await send('\0\x01\x02 nothing at all\r\n\r\n')).toMatch(/^HTTP\/1\.1 400 |^$/);
    await stillServes();
  });

  test('survives h2 with more headers than it takes, and goes on with others', async () => {
    const session = connectH2(origin.httpsUrl, { rejectUnauthorized: false });
    const headers = Object.fromEntries(
      Array.from({ length: 9_000 }, (_, index) => [`x-${index}`, 'y'.repeat(20)]),
    );
    const ended = new Promise((resolve) => session.once('close', resolve));
    session.on('error', () => {});
    const stream = session.request({ ':path': '/media/a.m4s', ...headers });
    const outcome = await new Promise<string>((resolve) => {
      stream.once('response', ({ ':status': status }) => resolve(`status ${status}`));
      stream.once('error', () => resolve('refused'));
      stream.once('close', () => resolve('refused'));
    });
    expect(outcome).toMatch(/^(status 431|refused)$/);
    session.destroy();
    await ended;
    await stillServes();
  });

  test('survives UDP packets that are no QUIC', async () => {
    const socket = createSocket('udp4');
    for (let index = 0; index < 500; index += 1) {
      const packet = Buffer.from(
        Array.from({ length: 1 + ((index * 37) % 1300) }, (_, at) => (at * index + 13 * at) & 255),
      );
      // Every other one claims to be a long header of version 1, the first packet of a connection.
      if (index % 2 === 0) packet.set([0xc0 | (index & 0x3f), 0, 0, 0, 1].slice(0, packet.length));
      await new Promise((resolve) => socket.send(packet, origin.httpsPort, '127.0.0.1', resolve));
    }
    socket.close();
    await stillServes();
  });

  test('writes one line for a request that was broken off', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(origin.httpPort, '127.0.0.1', () => {
        socket.write('GET /media/a.m4s?broken-off HTTP/1.1\r\nHost: localhost\r\n\r\n', () => {
          socket.destroy();
          resolve();
        });
      });
    });
    const records = (): number =>
      readAccessLog(origin.accessLogFile).filter(({ uri }) => uri.endsWith('?broken-off')).length;
    await expect.poll(records).toBe(1);
  });

  test('tells no secret of a request in its log', async () => {
    await get(
      '/media/a.m4s?secrets',
      'Authorization: Bearer not-for-the-log\r\nCookie: a=not-for-the-log\r\n',
    );
    await expect.poll(() => readFileSync(origin.accessLogFile, 'utf8')).toContain('?secrets');
    expect(readFileSync(origin.accessLogFile, 'utf8')).not.toContain('not-for-the-log');
  });
});

describe.skipIf(tools().origin === null && process.env['CI'] !== 'true')(
  'a command line that is wrong',
  () => {
    test.each([
      [
        ['--certificate', '/nowhere.pem', '--key', '/nowhere.key'],
        '/nowhere.pem is no PEM file that can be used',
      ],
      [['--access-log', '/nowhere/a.log'], 'cannot write /nowhere/a.log'],
      [['--address', '192.0.2.1'], 'cannot listen for TCP on 192.0.2.1:'],
      [['--answers', '/nowhere.json'], 'cannot read /nowhere.json'],
      [['--mount', 'media=/x'], 'a prefix begins with /'],
      [['--tcp-controller', 'warp'], 'the kernel has no TCP controller "warp": it has '],
      [['--quic-controller', 'bbr', '--emulated-connections', '2'], 'is for --quic-controller cubic'],
      [['--emulated-connections', '0'], "invalid value '0'"],
      [['--protocols', 'h4'], "invalid value 'h4'"],
    ])('%j', (args, sentence) => {
      const all = ['--https-port', '0', '--http-port', '0', ...args];
      const { status, stderr } = spawnSync(requireTool('origin'), all, { encoding: 'utf8', timeout: 5_000 });
      expect(stderr).toContain(sentence);
      expect(status).not.toBe(0);
      expect(status).not.toBeNull();
    });
  },
);
