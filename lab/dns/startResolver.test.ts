import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { Resolver as NodeResolver } from 'node:dns/promises';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, it, test } from 'vitest';
import { httpsData } from './message.ts';
import { startResolver, type LoggedQuestion, type Resolver } from './startResolver.ts';
import type { HostScript, HttpsRecord } from './zone.ts';

const started: Resolver[] = [];
afterEach(() => Promise.all(started.splice(0).map((each) => each.stop())));

const HOST = 'a.origin.test';
const RECORD_NAME = `_8443._https.${HOST}`;

async function start(changes: Partial<HostScript> = {}, logFile?: string): Promise<Resolver> {
  const zone = [{ host: 'origin.test', address: '203.0.113.1', port: 8443, ...changes }];
  const resolver = await startResolver({ zone, ...(logFile !== undefined && { logFile }) });
  started.push(resolver);
  return resolver;
}

const TYPES = { A: 1, AAAA: 28, HTTPS: 65 } as const;

/** A question by hand (RFC 1035, section 4), so that what is tested does not read itself. */
function question(name: string, type: number, { id = 7, edns = 0 } = {}): Buffer {
  const labels = name.split('.').flatMap((label) => [label.length, ...Buffer.from(label)]);
  const opt = edns === 0 ? [] : [0, 0, 41, edns >> 8, edns & 255, 0, 0, 0, 0, 0, 0];
  const counts = [0, 1, 0, 0, 0, 0, 0, edns === 0 ? 0 : 1];
  return Buffer.from([id >> 8, id & 255, 1, 0, ...counts, ...labels, 0, type >> 8, type & 255, 0, 1, ...opt]);
}

interface Header {
  readonly id: number;
  readonly rcode: number;
  readonly isTruncated: boolean;
  readonly answers: number;
}

const headerOf = (data: Buffer): Header => ({
  id: data.readUInt16BE(0),
  rcode: data[3]! & 15,
  isTruncated: (data[2]! & 2) !== 0,
  answers: data.readUInt16BE(6),
});

const SILENCE_MS = 600;

/** The answer over UDP, and after how many ms; null: there is none. */
async function ask({ udpPort }: Resolver, data: Buffer): Promise<{ data: Buffer; atMs: number } | null> {
  const socket = createSocket('udp4');
  const answer = new Promise<Buffer>((resolve) => socket.once('message', resolve));
  socket.send(data, udpPort, '127.0.0.1');
  const found = await Promise.race([answer, pause(SILENCE_MS, null)]);
  socket.close();
  return found && { data: found, atMs: performance.now() };
}

async function askByTcp({ tcpPort }: Resolver, sent: Buffer): Promise<Buffer> {
  const socket = connect(tcpPort, '127.0.0.1');
  socket.write(sent);
  let got = Buffer.alloc(0);
  for await (const part of socket) {
    got = Buffer.concat([got, part as Buffer]);
    if (got.length > 1 && got.length >= 2 + got.readUInt16BE(0)) break;
  }
  return got.subarray(2);
}

const framed = (data: Buffer): Buffer =>
  Buffer.concat([Buffer.from([data.length >> 8, data.length & 255]), data]);

test('Node finds addresses, and no others', async () => {
  const { udpPort } = await start();
  const node = new NodeResolver();
  node.setServers([`127.0.0.1:${udpPort}`]);
  expect(await node.resolve4(HOST)).toEqual(['203.0.113.1']);
  await expect(node.resolve6(HOST)).rejects.toMatchObject({ code: 'ENODATA' });
  await expect(node.resolve4('bank.test')).rejects.toMatchObject({ code: 'ENOTFOUND' });
});

test('the answer about a record has the bytes of the standard, over UDP and TCP', async () => {
  const resolver = await start({ https: [{ priority: 1, alpn: ['h3', 'h2'] }] });
  const asked = question(RECORD_NAME, TYPES.HTTPS);
  const answer = await ask(resolver, asked);
  expect(headerOf(answer!.data)).toEqual({ id: 7, rcode: 0, isTruncated: false, answers: 1 });
  // Priority 1, the host, and "alpn" (key 1) of 6 bytes: two ids with their lengths.
  const data = Buffer.from(
    '0001 01 61 06 6f726967696e 04 74657374 00 0001 0006 02 6833 02 6832'.replace(/ /g, ''),
    'hex',
  );
  expect(answer!.data.subarray(-data.length)).toEqual(data);
  expect(await askByTcp(resolver, framed(asked))).toEqual(answer!.data);
});

/** RFC 9460, appendix D: test vectors, but for the parameter "mandatory". */
test.each<[string, HttpsRecord & { target: string }, string]>([
  [
    '0 foo.example.com.',
    { priority: 0, target: 'foo.example.com.' },
    '000003666f6f076578616d706c6503636f6d00',
  ],
  ['1 .', { priority: 1, target: '.' }, '000100'],
  [
    '16 foo.example.com. port=53',
    { priority: 16, target: 'foo.example.com', port: 53 },
    '001003666f6f076578616d706c6503636f6d00000300020035',
  ],
  [
    '1 foo.example.com. ipv6hint=2001:db8::1,2001:db8::53:1',
    { priority: 1, target: 'foo.example.com', hints: ['2001:db8::1', '2001:db8::53:1'] },
    '000103666f6f076578616d706c6503636f6d000006002020010db800000000000000000000000120010db8000000000000000000530001',
  ],
  [
    '16 foo.example.org. alpn=h2,h3-19 ipv4hint=192.0.2.1',
    { priority: 16, target: 'foo.example.org', hints: ['192.0.2.1'], alpn: ['h2', 'h3-19'] },
    '001003666f6f076578616d706c65036f7267000001000902683205' + '68332d3139' + '00040004c0000201',
  ],
])('%s', (_, record, hex) => expect(httpsData(record).toString('hex')).toBe(hex));

describe('an address', () => {
  it('is sent after the record, whichever was asked for first', async () => {
    const resolver = await start({ https: [{ priority: 1, alpn: ['h3'] }] });
    const address = ask(resolver, question(HOST, TYPES.A));
    await pause(30);
    const record = ask(resolver, question(RECORD_NAME, TYPES.HTTPS));
    expect((await address)!.atMs).toBeGreaterThanOrEqual((await record)!.atMs - 5);
    expect(resolver.questions().map(({ type }) => type)).toEqual(['HTTPS', 'A']);
  });

  it('is sent after a while where nobody asks for the record', async () => {
    const resolver = await start();
    const answer = await ask(resolver, question(HOST, TYPES.A));
    expect(headerOf(answer!.data).answers).toBe(1);
    const [line] = resolver.questions();
    expect(line!.answeredAtUnixMs! - line!.askedAtUnixMs).toBeGreaterThanOrEqual(195);
  });
});

test('waits and silence are those of the script, and the log has them', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-dns-test-'));
  try {
    const logFile = path.join(folder, 'dns.jsonl');
    const resolver = await start({ waitMs: { HTTPS: null, A: 100 } }, logFile);
    expect(await ask(resolver, question(RECORD_NAME, TYPES.HTTPS))).toBeNull();
    expect(await ask(resolver, question(HOST, TYPES.A))).not.toBeNull();
    const lines = readFileSync(logFile, 'utf8')
      .trim()
      .split('\n')
      .map((text) => JSON.parse(text) as LoggedQuestion);
    expect(lines).toEqual(resolver.questions());
    expect(lines).toMatchObject([
      { type: 'HTTPS', name: RECORD_NAME, via: 'udp', answeredAtUnixMs: null },
      { type: 'A', name: HOST, rcode: 'NOERROR', records: ['203.0.113.1'] },
    ]);
    expect(lines[1]!.answeredAtUnixMs! - lines[1]!.askedAtUnixMs).toBeGreaterThanOrEqual(95);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

describe('a resolver that fails says so', () => {
  it('when its process ends by itself, and not at its stop', async () => {
    const stopped = await start();
    await stopped.stop();
    const resolver = await startResolver({ zone: [], address: '127.0.53.53' });
    const pid = execFileSync('pgrep', ['-P', String(process.pid), '-f', '127.0.53.53'], { encoding: 'utf8' });
    process.kill(Number(pid), 'SIGKILL');
    expect(await resolver.failed).toBe('The DNS server of the lab ended.');
    expect(await Promise.race([stopped.failed, pause(100, 'nothing')])).toBe('nothing');
  });

  it('when it cannot log a question', async () => {
    const resolver = await start({}, '/nowhere/dns.jsonl');
    await ask(resolver, question(HOST, TYPES.AAAA));
    expect(await resolver.failed).toMatch(/^The DNS server of the lab failed: ENOENT.*\.$/);
  });
});

describe('bad input', () => {
  const many = (count: number): HttpsRecord[] =>
    Array.from({ length: count }, () => ({ priority: 1, alpn: ['x'.repeat(250)] }));

  it('an answer too long for UDP says so, and is whole over TCP', async () => {
    const resolver = await start({ https: many(200) });
    const asked = question(RECORD_NAME, TYPES.HTTPS, { edns: 4096 });
    expect(headerOf((await ask(resolver, asked))!.data)).toMatchObject({ isTruncated: true, answers: 0 });
    const whole = await askByTcp(resolver, framed(asked));
    expect(headerOf(whole)).toMatchObject({ isTruncated: false, answers: 200 });
    expect(whole.length).toBeGreaterThan(50_000);
  });

  it('an answer too long for TCP has no records', async () => {
    const resolver = await start({ https: many(300) });
    const answer = await askByTcp(resolver, framed(question(RECORD_NAME, TYPES.HTTPS)));
    expect(headerOf(answer)).toMatchObject({ isTruncated: true, answers: 0 });
  });

  it.each([
    ['nothing', Buffer.alloc(0)],
    ['less than a header', Buffer.alloc(11, 1)],
    ['an answer', Buffer.from([0, 7, 0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0])],
  ])('%s is not answered, and the next question is', async (_, data) => {
    const resolver = await start();
    expect(await ask(resolver, data)).toBeNull();
    expect(await ask(resolver, question(HOST, TYPES.AAAA))).not.toBeNull();
  });

  const looping = Buffer.from([0, 7, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0xc0, 12, 0, 1, 0, 1]);
  it.each([
    ['a name that points to itself', looping, 1],
    ['a name without its end', question(HOST, TYPES.A).subarray(0, 20), 1],
    ['no question', Buffer.from([0, 7, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0]), 1],
    ['an update', Buffer.from([0, 7, 0x28, 0, 0, 1, 0, 0, 0, 0, 0, 0]), 4],
  ])('%s is refused', async (_, data, rcode) => {
    const resolver = await start();
    expect(headerOf((await ask(resolver, data))!.data)).toMatchObject({ id: 7, rcode, answers: 0 });
  });

  it('a TCP connection that sends half a message keeps nobody from an answer', async () => {
    const resolver = await start();
    const half = connect(resolver.tcpPort, '127.0.0.1').on('error', () => {});
    half.write(Buffer.from([255, 255, 1]));
    const answer = await askByTcp(resolver, framed(question(HOST, TYPES.AAAA)));
    expect(headerOf(answer).rcode).toBe(0);
    half.destroy();
  });

  it('a script that cannot be said, and an address that is not ours, are refused in a sentence', async () => {
    await expect(start({ address: 'nowhere' })).rejects.toThrow(
      '"nowhere" of origin.test is no IPv4 address.',
    );
    await expect(startResolver({ zone: [], address: '192.0.2.1' })).rejects.toThrow(
      /^The resolver cannot listen on 192\.0\.2\.1: .*EADDRNOTAVAIL.*\.$/,
    );
  });
});
