import { spawn } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  mkdirSync,
} from 'node:fs';
import { connect, type ClientHttp2Session } from 'node:http2';
import { request } from 'node:https';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { build } from 'vite';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAccessLog, type AccessRecord } from './accessLog.ts';
import type { Origin } from './origin.ts';
import { portIsFree } from './ports.ts';
import { startCaddy } from './startCaddy.ts';
import { startInstrumentedOrigin } from '../origin/startInstrumentedOrigin.ts';
import { requireTool, tools } from '../tools.ts';

const folder = mkdtempSync(join(tmpdir(), 'pitwall-caddy-test-'));
let origin: Origin;
mkdirSync(join(folder, 'app', 'assets'), { recursive: true });
writeFileSync(join(folder, 'media.mpd'), '<MPD/>');
writeFileSync(join(folder, 'seg 1.m4s'), '0123456789');
writeFileSync(join(folder, 'app', 'index.html'), '<!doctype html>');
writeFileSync(join(folder, 'app', 'assets', 'app-abc.js'), '1');
afterAll(() => rmSync(folder, { recursive: true }));

/** The contract is one; without cargo the second is missing, which is no secret in CI. */
const origins = [
  { name: 'Caddy', start: startCaddy, serverHeader: 'Caddy' },
  { name: 'the instrumented origin', start: startInstrumentedOrigin, serverHeader: 'pitwall-origin' },
].filter(({ name }) => name === 'Caddy' || tools().origin !== null || process.env['CI'] === 'true');

interface Answer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

function altSvcOf({ httpsUrl }: Origin): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const sent = request(`${httpsUrl}/media/media.mpd`, { rejectUnauthorized: false, agent: false });
    sent.once('response', (response) => resolve(response.resume().headers['alt-svc']));
    sent.once('error', reject).end();
  });
}

/** One request over http/1.1 to the https port. */
function ask(path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const options = { rejectUnauthorized: false, agent: false, headers, method };
    const sent = request(origin.httpsUrl + path, options, (response) => {
      let body = '';
      response.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
      response.on('end', () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers as Record<string, string>,
          body,
        }),
      );
    });
    sent.once('error', reject).end();
  });
}

function askH2(path: string): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const session: ClientHttp2Session = connect(origin.httpsUrl, { rejectUnauthorized: false });
    session.once('error', reject);
    const stream = session.request({ ':path': path });
    let body = '';
    let headers: Record<string, string> = {};
    stream.on('response', (received) => (headers = received as unknown as Record<string, string>));
    stream.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    stream.on('end', () => {
      session.close();
      resolve({ status: Number(headers[':status']), headers, body });
    });
  });
}

/** The record of the one request for `uri`; Caddy writes it just after the response has ended. */
async function recordOf(uri: string): Promise<AccessRecord> {
  for (let attempt = 0; attempt < 50; attempt++) {
    const found = readAccessLog(origin.accessLogFile).find((record) => record.uri === uri);
    if (found) return found;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error(`no record of ${uri}`);
}

/** Whether the origin serves QUIC: a version that nobody has is refused with a list of others (RFC 9000, section 6.1). */
async function servesQuic({ httpsPort }: Origin): Promise<boolean> {
  const socket = createSocket('udp4');
  const packet = Buffer.alloc(1200);
  Buffer.from('c01a2a3a4a08', 'hex').copy(packet);
  packet[14] = 8;
  socket.send(packet, httpsPort, '127.0.0.1');
  const answer = await Promise.race([once(socket, 'message') as Promise<[Buffer]>, pause(200, null)]);
  socket.close();
  return answer?.[0].readUInt32BE(1) === 0;
}

const PREFLIGHT = {
  origin: 'http://x.test',
  'access-control-request-method': 'GET',
  'access-control-request-headers': 'cmcd-object',
};

// Answers over h3: `discovery.linked.spec.ts`.
test.each(origins)('$name says nothing of h3 in any answer where it is not to', async ({ start }) => {
  origin = await start({ mounts: { '/media': folder }, altSvc: false });
  try {
    // Before, nobody would say anything.
    await expect.poll(() => servesQuic(origin)).toBe(true);
    const answers: Answer[] = [];
    for (const prefix of ['', '/no-cors', '/redirect', '/status/503', '/nothing'])
      answers.push(await ask(`${prefix}/media/media.mpd`), await askH2(`${prefix}/media/media.mpd`));
    answers.push(await ask('/media/media.mpd', PREFLIGHT, 'OPTIONS'));
    answers.push(await ask('/media/media.mpd', { range: 'bytes=1-2' }));
    expect(answers.map(({ status }) => status)).toEqual(
      [200, 200, 302, 503, 404].flatMap((status) => [status, status]).concat(204, 206),
    );
    expect(answers.filter(({ headers }) => 'alt-svc' in headers)).toEqual([]);
  } finally {
    await origin.stop();
  }
});

describe.each(origins)('what $name serves', ({ start, serverHeader }) => {
  beforeAll(async () => {
    origin = await start({ mounts: { '/media': folder }, appFolder: join(folder, 'app') });
  });
  afterAll(() => origin.stop());

  test('is served by that program', async () => {
    expect((await ask('/media/media.mpd')).headers['server']).toBe(serverHeader);
  });

  test('serves media over http/1.1 and h2 with the headers that a player on another origin needs', async () => {
    for (const answer of [await ask('/media/media.mpd'), await askH2('/media/media.mpd')]) {
      expect(answer.status).toBe(200);
      expect(answer.body).toBe('<MPD/>');
      expect(answer.headers).toMatchObject({
        'content-type': 'application/dash+xml',
        'timing-allow-origin': '*',
        'access-control-allow-origin': '*',
        'cache-control': 'no-store',
      });
      expect(answer.headers['alt-svc']).toContain(`h3=":${origin.httpsPort}"`);
      expect(answer.headers['access-control-expose-headers']).toContain('CMSD-Static');
      expect(answer.headers['access-control-expose-headers']).toContain('Content-Range');
    }
  });

  test('answers byte ranges, and logs what was asked and sent', async () => {
    const answer = await ask('/media/seg%201.m4s?range', { range: 'bytes=2-5' });
    expect(answer).toMatchObject({ status: 206, body: '2345' });
    expect(answer.headers['content-range']).toBe('bytes 2-5/10');
    expect(answer.headers['content-type']).toBe('video/mp4');
    const before = Date.now();
    const record = await recordOf('/media/seg%201.m4s?range');
    expect(record).toMatchObject({
      method: 'GET',
      protocol: 'http/1.1',
      status: 206,
      sizeBytes: 4,
      range: 'bytes=2-5',
      host: `localhost:${origin.httpsPort}`,
    });
    expect(record.endMs).toBeGreaterThan(before - 5_000);
    // Date.now() is cut to whole ms, the log's time is not.
    expect(record.endMs).toBeLessThan(Date.now() + 1);
    expect(record.durationMs).toBeGreaterThan(0);
  });

  test('logs the protocol of h2', async () => {
    await askH2('/media/media.mpd?over-h2');
    expect((await recordOf('/media/media.mpd?over-h2')).protocol).toBe('h2');
  });

  test('answers a preflight for CMCD headers', async () => {
    const answer = await ask('/media/media.mpd', PREFLIGHT, 'OPTIONS');
    expect(answer.status).toBe(204);
    expect(answer.headers['access-control-allow-headers']).toContain('CMCD-Object');
    expect(answer.headers['access-control-max-age']).toBe('7200');
  });

  test('prefixes take away what a test wants missing', async () => {
    const noTao = await ask('/no-tao/media/media.mpd');
    expect(noTao.body).toBe('<MPD/>');
    expect(noTao.headers).not.toHaveProperty('timing-allow-origin');
    expect(noTao.headers['access-control-allow-origin']).toBe('*');

    const noCors = await ask('/no-cors/media/media.mpd');
    expect(noCors.body).toBe('<MPD/>');
    expect(noCors.headers).not.toHaveProperty('access-control-allow-origin');

    const redirect = await ask('/redirect/media/media.mpd?a=1');
    expect(redirect.status).toBe(302);
    expect(redirect.headers['location']).toBe('/media/media.mpd?a=1');
    expect(redirect.headers['access-control-allow-origin']).toBe('*');

    const credentials = await ask('/with-credentials/media/media.mpd', { origin: 'http://x.test' });
    expect(credentials.headers['access-control-allow-origin']).toBe('http://x.test');
    expect(credentials.headers['access-control-allow-credentials']).toBe('true');

    for (const status of [404, 503]) {
      const failed = await ask(`/status/${status}/media/media.mpd`);
      expect(failed.status).toBe(status);
      expect(failed.headers['access-control-allow-origin']).toBe('*');
    }
    const missing = await ask('/media/none.m4s');
    expect(missing.status).toBe(404);
    expect(missing.headers['access-control-allow-origin']).toBe('*');
  });

  test('serves the app on the plain port under its policy, and media beside it', async () => {
    const page = await fetch(`${origin.httpUrl}/`);
    expect(page.headers.get('content-security-policy')).toContain("script-src 'self' blob:;");
    expect(page.headers.get('cache-control')).toBe('no-store');
    const asset = await fetch(`${origin.httpUrl}/assets/app-abc.js`);
    expect(asset.headers.get('cache-control')).toContain('immutable');
    expect(await (await fetch(`${origin.httpUrl}/media/media.mpd`)).text()).toBe('<MPD/>');
    expect((await fetch(`${origin.httpUrl}/nothing`)).status).toBe(404);
  });

  test('keeps only the newest lines of its log with accessLogLimitBytes', async () => {
    const limited = await start({ mounts: { '/media': folder }, accessLogLimitBytes: 2 ** 20 });
    try {
      const headers = { 'x-long': 'y'.repeat(8000) };
      for (let index = 0; index < 400; index += 1)
        await (await fetch(`${limited.httpUrl}/media/media.mpd?${index}`, { headers })).text();
      // Older ones are removed behind the server's back.
      const logFolder = dirname(limited.accessLogFile);
      const logs = (): string[] => readdirSync(logFolder).filter((name) => name.startsWith('access'));
      await expect.poll(() => logs().length).toBe(2);
      for (const name of logs()) expect(statSync(join(logFolder, name)).size).toBeLessThanOrEqual(2 ** 20);
      const newest = (): string | undefined => readAccessLog(limited.accessLogFile).at(-1)?.uri;
      await expect.poll(newest).toBe('/media/media.mpd?399');
    } finally {
      await limited.stop();
    }
  });

  test('gives fixed answers on the plain port, made with the ports it chose', async () => {
    const other = await start({
      mounts: {},
      answers: ({ httpsPort }) => ({ '/facts.json': JSON.stringify({ port: { httpsPort } }) }),
    });
    try {
      const answer = await fetch(`${other.httpUrl}/facts.json`);
      expect(answer.headers.get('content-type')).toBe('application/json');
      expect(await answer.json()).toEqual({ port: { httpsPort: other.httpsPort } });
    } finally {
      await other.stop();
    }
  });

  test('passes a mount on to a loopback server', async () => {
    const behind = createServer((asked, answer) => answer.end(`behind ${asked.url}`)).listen(0, '127.0.0.1');
    await new Promise((resolve) => behind.once('listening', resolve));
    const proxyUrl = `http://127.0.0.1:${(behind.address() as AddressInfo).port}`;
    const other = await start({ mounts: { '/live': { proxyUrl }, '/': folder } });
    try {
      expect(await (await fetch(`${other.httpUrl}/live/now.mpd?x=1`)).text()).toBe('behind /now.mpd?x=1');
      expect(await (await fetch(`${other.httpUrl}/media.mpd`)).text()).toBe('<MPD/>');
    } finally {
      await other.stop();
      behind.close();
    }
  });
});

describe.each(origins)('the life of $name', ({ start }) => {
  beforeAll(async () => {
    origin = await start({ mounts: {} });
  });
  afterAll(() => origin.stop());

  test('comes back on the same port with the same certificate, and leaves nothing behind', async () => {
    const own = await start({ mounts: { '/media': folder } });
    const temporary = dirname(own.accessLogFile);
    const certificate = readFileSync(join(temporary, 'certificate.pem'), 'utf8');
    const firstPid = own.pid;
    await own.kill('SIGKILL');
    expect(own.pid).toBeNull();
    await expect(fetch(`${own.httpUrl}/media/media.mpd`)).rejects.toThrow();
    await own.restart();
    expect(own.pid).not.toBe(firstPid);
    expect((await fetch(`${own.httpUrl}/media/media.mpd`)).status).toBe(200);
    expect(readFileSync(join(temporary, 'certificate.pem'), 'utf8')).toBe(certificate);
    await own.stop();
    await own.stop();
    expect(existsSync(temporary)).toBe(false);
    expect(await portIsFree(own.httpsPort, ['127.0.0.1'])).toBe(true);
  });

  test('comes back with fewer protocols when asked to, and with all of them the next time', async () => {
    const own = await start({ mounts: { '/media': folder } });
    try {
      // quic-go names its port only once its listener serves, which may be just after Caddy says that it is ready.
      await expect.poll(() => altSvcOf(own)).toMatch(/^h3=/);
      await own.restart({ protocols: ['h1', 'h2'] });
      expect(await altSvcOf(own)).toBeUndefined();
      await own.restart();
      await expect.poll(() => altSvcOf(own)).toMatch(/^h3=/);
    } finally {
      await own.stop();
    }
  });

  test('says in one sentence that a port is taken, and why it did not start', async () => {
    await expect(start({ mounts: {}, httpsPort: origin.httpsPort })).rejects.toThrow(
      `Port ${origin.httpsPort} is already in use`,
    );
    await expect(start({ mounts: {}, addresses: ['192.0.2.1'], httpsPort: 0 })).rejects.toThrow('192.0.2.1');
  });
});

describe('startCaddy', () => {
  test('says that there is no Caddy where it was looked for', async () => {
    await expect(startCaddy({ mounts: {}, caddy: '/nowhere/caddy' })).rejects.toThrow(
      'Caddy could not be run from /nowhere/caddy',
    );
  });

  test.skipIf(process.platform !== 'linux')('ends with its parent, even one killed outright', async () => {
    const bundle = mkdtempSync(join('.pitwall', 'caddy-test-'));
    try {
      await build({
        configFile: false,
        logLevel: 'silent',
        build: { ssr: 'lab/caddy/startCaddy.ts', outDir: bundle, target: 'node20' },
      });
      const script = `
        const { startCaddy } = await import(${JSON.stringify(pathToFileURL(join(bundle, 'startCaddy.js')).href)});
        const origin = await startCaddy({ mounts: {}, caddy: ${JSON.stringify(requireTool('caddy'))} });
        console.log(JSON.stringify({ pid: origin.pid, file: origin.accessLogFile }));
      `;
      const parent = spawn(process.execPath, ['--input-type=module', '-e', script], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      const ended = once(parent, 'exit').then(([code]) => {
        throw new Error(`The parent ended with exit code ${code} before its origin was there`);
      });
      ended.catch(() => undefined);
      const [line] = (await Promise.race([once(parent.stdout, 'data'), ended])) as [Buffer];
      const { pid, file } = JSON.parse(line.toString()) as { pid: number; file: string };
      expect(isRunning(pid)).toBe(true);
      parent.kill('SIGKILL');
      await expect.poll(() => isRunning(pid), { timeout: 5_000 }).toBe(false);
      await expect.poll(() => existsSync(dirname(file)), { timeout: 5_000 }).toBe(false);
    } finally {
      rmSync(bundle, { recursive: true });
    }
  });
});

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    // A killed process that nobody has reaped yet still answers to signal 0.
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
