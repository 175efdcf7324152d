import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { appendFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { exampleRequest } from '../../../src/telemetry/exampleLog.testing.ts';
import type { AskedRaces, KnownRaces } from '../../../src/telemetry/join/liveRaces.ts';
import { exampleNetLog } from '../../../src/telemetry/netlog/exampleNetLog.testing.ts';
import { createNetLogFollower, startRaceServer } from './raceServer.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-races-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const url = 'https://origin.test:8443/a.m4s';
/** A NetLog of one request that goes on for a while. */
const netLog = (id = 10): string =>
  exampleNetLog()
    .request(id, 0, url)
    .job(id + 2, 0, { request: id, type: 'main' })
    .bind(id, 5, id + 2)
    .finish(id, 20, { bytes: 800 })
    .event('TCP_CONNECT 1', 900, 900)
    .text();
const startsOf = (follower: ReturnType<typeof createNetLogFollower>) =>
  follower.facts()?.requests.map(({ sourceId }) => sourceId) ?? null;

test('a NetLog is read up to its last whole line, whatever the pieces', () => {
  const text = netLog();
  for (const size of [1, 7, 100, text.length]) {
    const follower = createNetLogFollower();
    expect(startsOf(follower)).toBeNull();
    for (let from = 0; from < text.length; from += size) {
      follower.push(text.slice(from, from + size));
      // Asking in the middle of a line costs nothing of it.
      follower.facts();
    }
    expect(follower.facts()!.requests).toMatchObject([{ sourceId: 10, receivedBytes: 800 }]);
  }
});

test('what is no NetLog says nothing', () => {
  const follower = createNetLogFollower();
  follower.push('hello\nworld\n');
  expect(follower.facts()).toBeNull();
});

test('only the page beside it is answered, and the copy has what the browser wrote', async () => {
  const copy = path.join(folder, 'net.json');
  const server = await startRaceServer(copy);
  const ask = async (asked: string, init: RequestInit = {}) =>
    await fetch(server.proxyUrl, {
      method: 'POST',
      headers: { 'sec-fetch-site': 'same-origin' },
      body: asked,
      ...init,
    });
  // Since then the computer slept for most of an hour, in which no clock of the browser went on.
  const startedAtUnixMs = Date.now() - 3_600_000;
  const asked: AskedRaces = {
    session: 's',
    startedAtUnixMs,
    nowMs: 500,
    requests: [exampleRequest({ id: 'a', url, atMs: 0, startMs: 0, lastByteMs: 30, endMs: 30 })],
  };
  // Its clock is that of today.
  const text = netLog().replace(/"timeTickOffset":\d+/, `"timeTickOffset":${startedAtUnixMs}`);
  try {
    await appendFile(server.netLogFile, text);
    const known = async () => (await (await ask(JSON.stringify(asked))).json()) as KnownRaces;
    await expect.poll(known).toMatchObject({
      finished: [{ requestId: 'a', source: 'netlog', races: [{ outcome: 'main-alone' }] }],
      waiting: [],
    });
    for (const site of ['cross-site', 'same-site', 'none', ''])
      expect((await ask('{}', { headers: { 'sec-fetch-site': site } })).status, site).toBe(403);
    expect((await ask('{}', { headers: {} })).status).toBe(403);
    expect((await ask('', { method: 'GET', body: null })).status).toBe(405);
    expect((await ask('{')).status).toBe(400);
    expect((await ask('x'.repeat(4_000_001))).status).toBe(413);
    const { headers } = await ask('{');
    expect(headers.get('access-control-allow-origin')).toBeNull();
  } finally {
    await server.stop();
  }
  expect(readFileSync(copy, 'utf8')).toBe(text);
  expect(existsSync(path.dirname(server.netLogFile))).toBe(false);
});

test('each browser has a NetLog and a copy of its own, and a file that is there is not written over', async () => {
  const copies = ['two.json', 'two-2.json', 'two-3.json'].map((name) => path.join(folder, name));
  writeFileSync(copies[1]!, 'of somebody');
  const server = await startRaceServer(copies[0]!);
  const first = openSync(server.netLogFile, 'w');
  let used = statSync(server.netLogFile).ino;
  try {
    writeSync(first, netLog(10).slice(0, 300));
    for (const id of [20, 40]) {
      await expect
        .poll(() => statSync(server.netLogFile, { throwIfNoEntry: false })?.ino ?? used)
        .not.toBe(used);
      used = statSync(server.netLogFile).ino;
      await appendFile(server.netLogFile, netLog(id));
    }
    await expect.poll(() => existsSync(copies[2]!) && readFileSync(copies[2]!, 'utf8')).toBe(netLog(40));
    writeSync(first, netLog(10).slice(300));
  } finally {
    closeSync(first);
    await server.stop();
  }
  expect(copies.map((file) => readFileSync(file, 'utf8'))).toEqual([netLog(10), 'of somebody', netLog(40)]);
});

test('a copy that cannot be written is a sentence', async () => {
  const nowhere = path.join(folder, 'missing', 'net.json');
  await expect(startRaceServer(nowhere)).rejects.toThrow(`${nowhere}: There is no such file or folder.`);
});
