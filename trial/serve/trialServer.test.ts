import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BEACON_SCHEMA, type Beacon } from '../../src/telemetry/schema/trialBeacon.ts';
import { encodeBeacons, MAX_LINES } from '../design/beacon.ts';
import { startingTrial } from '../design/startingTrial.ts';
import type { Trial } from '../design/trialFile.ts';
import { readTrialFolder } from '../store/readTrialFolder.testing.ts';
import { rollDays } from '../store/rollDays.ts';
import { columnsOf } from '../tell/trialColumns.ts';
import { trialReport } from '../tell/trialReport.ts';
import { KILL_FILE, startTrialServer, type TrialServer } from './trialServer.ts';
import { createRateLimit } from './rateLimit.ts';

const trial = startingTrial('salt-of-the-server-test');
const root = mkdtempSync(path.join(tmpdir(), 'pitwall-trial-server-'));
let folder = '';
let server: TrialServer;
const sentences: string[] = [];

const start = (
  of: Trial = trial,
  more: { perSecond?: number; behindProxy?: boolean; url?: string } = {},
): Promise<TrialServer> =>
  startTrialServer(of, {
    folder,
    host: '127.0.0.1',
    port: 0,
    token: 'token-of-the-test',
    perSecond: 10_000,
    ...more,
    report: (sentence) => sentences.push(sentence),
  });

beforeEach(async () => {
  folder = mkdtempSync(path.join(root, 'data-'));
  server = await start();
});
afterEach(() => server.stop());
afterAll(() => rmSync(root, { recursive: true, force: true }));

interface Manifest {
  readonly TTL: number;
  readonly 'RELOAD-URI': string;
  readonly 'PATHWAY-PRIORITY': readonly string[];
}

const steering = async (query: string): Promise<Manifest> =>
  (await (await fetch(`${server.url}/steering?${query}`)).json()) as Manifest;
const pathwayOf = async (query: string): Promise<string> => (await steering(query))['PATHWAY-PRIORITY'][0]!;
const post = (body: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}/events`, { method: 'POST', body, headers });

const beacon: Beacon = {
  schema: BEACON_SCHEMA,
  trial: trial.name,
  session: 'session-in-the-clear',
  viewer: 'viewer-in-the-clear@mail.example',
  startedMs: Date.UTC(2026, 0, 5),
  joinMs: 700,
  playedMs: 60_000,
  stalledMs: 500,
  stalls: 1,
  bitrateKbps: 3000,
  errors: 0,
  h3Bytes: 20_000_000,
  tcpBytes: 0,
  pathway: 'h3',
  networkClass: 'fixed',
};

describe('steering', () => {
  it('keeps a session in its arm, and draws both arms', async () => {
    const arms = await Promise.all(Array.from({ length: 40 }, (_, index) => pathwayOf(`session=s${index}`)));
    const again = await Promise.all(Array.from({ length: 40 }, (_, index) => pathwayOf(`session=s${index}`)));
    expect(again).toEqual(arms);
    expect(new Set(arms)).toEqual(new Set(['tcp', 'h3']));
  });

  it('gives a session without an id one, which RELOAD-URI keeps; reloads are not logged again', async () => {
    const first = await steering('_DASH_pathway=tcp&_DASH_throughput=5000');
    const reloaded = (await (
      await fetch(new URL(first['RELOAD-URI'], `${server.url}/steering`))
    ).json()) as Manifest;
    expect(reloaded['PATHWAY-PRIORITY']).toEqual(first['PATHWAY-PRIORITY']);
    expect(reloaded['RELOAD-URI']).toBe(first['RELOAD-URI']);
    expect(first['RELOAD-URI']).toMatch(/^steering\?session=[\w-]+&began=\d+$/);
    await server.stop();
    const { data } = await readTrialFolder(folder);
    expect(data.assignments).toHaveLength(1);
    expect(data.assignments[0]!.arm).toBe(first['PATHWAY-PRIORITY'][0]);
    server = await start();
  });

  it('names itself in RELOAD-URI by the address at which players reach it', async () => {
    await server.stop();
    server = await start(trial, { url: 'https://trial.example/of' });
    const { 'RELOAD-URI': reload } = await steering('session=a');
    expect(reload).toMatch(/^https:\/\/trial\.example\/of\/steering\?session=a&began=\d+$/);
  });

  it('keeps the arm of the period in which a session began, over a switch', async () => {
    await server.stop();
    const unit = { kind: 'switchback', periodMinutes: 5, washoutMinutes: 0 } as const;
    server = await start({ ...trial, unit });
    const hours = Array.from({ length: 24 }, (_, hour) => Date.now() - hour * 300_000);
    const arms = await Promise.all(hours.map((began) => pathwayOf(`session=s&began=${began}`)));
    expect(new Set(arms)).toEqual(new Set(['tcp', 'h3']));
    const again = await Promise.all(hours.map((began) => pathwayOf(`session=other&began=${began}`)));
    expect(again).toEqual(arms);
  });

  it('refuses an id that is none', async () => {
    const response = await fetch(`${server.url}/steering?session=${'x'.repeat(129)}`);
    expect(response.status).toBe(400);
    expect(await response.text()).toContain('1 to 128 visible ASCII characters');
    expect((await fetch(`${server.url}/steering?x=${'y'.repeat(3000)}`)).status).toBe(414);
  });
});

describe('the kill switch', () => {
  const turn = (to: 'kill' | 'resume', token: string): Promise<Response> =>
    fetch(`${server.url}/${to}`, { method: 'POST', headers: { Authorization: `Bearer ${token}` } });
  const pathways = async (): Promise<Set<string>> =>
    new Set(await Promise.all(Array.from({ length: 30 }, (_, index) => pathwayOf(`session=k${index}`))));

  it('sends everybody to the default, and back, with the token only', async () => {
    expect((await turn('kill', 'wrong')).status).toBe(401);
    expect((await pathways()).size).toBe(2);
    expect((await turn('kill', 'token-of-the-test')).status).toBe(200);
    expect(await pathways()).toEqual(new Set(['tcp']));
    expect(existsSync(path.join(folder, KILL_FILE))).toBe(true);
    expect((await turn('resume', 'token-of-the-test')).status).toBe(200);
    expect((await pathways()).size).toBe(2);
    await server.stop();
    const { data } = await readTrialFolder(folder);
    expect(data.switches.map(({ killed }) => killed)).toEqual([true, false]);
    server = await start();
  });

  it('is as the log says when a server starts, and a turn without a server is noted', async () => {
    const turns = async () => (await readTrialFolder(folder)).data.switches.map(({ killed }) => killed);
    writeFileSync(path.join(folder, KILL_FILE), '');
    const restart = async (): Promise<void> => {
      await server.stop();
      server = await start();
    };
    await restart();
    await server.stop();
    expect(server.isKilled()).toBe(true);
    expect(await turns()).toEqual([true]);
    rmSync(path.join(folder, KILL_FILE));
    server = await start();
    await restart();
    await server.stop();
    expect(server.isKilled()).toBe(false);
    expect(await turns()).toEqual([true, false]);
    server = await start();
  });

  it('is a file', async () => {
    writeFileSync(path.join(folder, KILL_FILE), '');
    await expect.poll(() => server.isKilled(), { timeout: 5000 }).toBe(true);
    expect(await pathways()).toEqual(new Set(['tcp']));
  });
});

describe('the collector', () => {
  it('stores a session before it answers, under the arm of its id', async () => {
    const arm = await pathwayOf(`session=${beacon.session}&viewer=${encodeURIComponent(beacon.viewer!)}`);
    expect((await post(encodeBeacons([beacon]))).status).toBe(204);
    const { data } = await readTrialFolder(folder);
    expect(data.sessions).toMatchObject([
      { arm, pathway: 'h3', joinMs: 700, h3Bytes: 20_000_000, networkClass: 'fixed' },
    ]);
    expect(data.sessions[0]!.session).toBe(data.assignments[0]!.session);
    expect(trialReport(trial, columnsOf(data))).toMatchObject({ sessions: 1, leftOut: { unassigned: 0 } });
  });

  it.each([
    ['', 'The body has no line.'],
    ['{', 'Line 1: It is not JSON.'],
    ['[]', 'Line 1: It is not a JSON object.'],
    [encodeBeacons([beacon, { ...beacon, trial: 'other' }]), 'Line 2: It is of another trial.'],
    [
      encodeBeacons([{ ...beacon, playedMs: -1 }]),
      'Line 1: /playedMs should be a number from 0 to 604800000.',
    ],
    [
      encodeBeacons([{ ...beacon, cohort: 'elsewhere' }]),
      'Line 1: /cohort is not the arm of its id: the page has the key or the arms of another trial.',
    ],
    [JSON.stringify({ ...beacon, '<script>': 1 }), 'Line 1: It has a field that beacons do not have.'],
    [
      encodeBeacons(new Array<Beacon>(MAX_LINES + 1).fill(beacon)),
      `The body has more than ${MAX_LINES} lines.`,
    ],
  ])('refuses a body with a reason: %#', async (body, reason) => {
    const response = await post(body);
    expect([response.status, await response.json()]).toEqual([400, { error: reason }]);
    expect((await readTrialFolder(folder)).data.sessions).toEqual([]);
  });

  it('refuses a long body, before it is read or while it comes', async () => {
    expect((await post('x'.repeat(200_000))).status).toBe(413);
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    socket.on('error', () => undefined);
    socket.write('POST /events HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n');
    for (let chunk = 0; chunk < 20; chunk++) socket.write(`4000\r\n${'x'.repeat(0x4000)}\r\n`);
    const [answer] = (await new Promise((resolve) =>
      socket.once('data', (data) => resolve([String(data)])),
    )) as [string];
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
    socket.destroy();
  });

  it('stores nothing of a body that breaks off, and does not take it for a fault of the disk', async () => {
    sentences.length = 0;
    const socket = connect({ port: Number(new URL(server.url).port), host: '127.0.0.1' });
    socket.write(`POST /events HTTP/1.1\r\nHost: x\r\nContent-Length: 500\r\n\r\n${encodeBeacons([beacon])}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
    socket.destroy();
    await expect.poll(async () => (await post(encodeBeacons([beacon]))).status).toBe(204);
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(sentences).toEqual([]);
    expect((await readTrialFolder(folder)).data.sessions).toHaveLength(1);
  });

  it('answers 429 to a network that sends too much', async () => {
    await server.stop();
    server = await start(trial, { perSecond: 1 });
    const codes: number[] = [];
    for (let index = 0; index < 150; index++) codes.push((await post('{')).status);
    expect(codes.filter((code) => code === 429).length).toBeGreaterThan(2);
    expect(codes.slice(0, 100)).not.toContain(429);
  });

  it('keeps every acknowledged session over a line that a crash cut off', async () => {
    await post(encodeBeacons([beacon]));
    await server.stop();
    const [file] = readdirSync(path.join(folder, 'sessions')).map((name) =>
      path.join(folder, 'sessions', name),
    );
    writeFileSync(file!, `${readFileSync(file!, 'utf8')}{"session":"cut o`);
    server = await start();
    await post(encodeBeacons([{ ...beacon, session: 'second' }]));
    const { data, tornLines } = await readTrialFolder(folder);
    expect([data.sessions.length, tornLines]).toEqual([2, 1]);
  });

  it('rolls finished days to Parquet with the same report, and deletes old ones', async () => {
    for (let index = 0; index < 30; index++) await post(encodeBeacons([{ ...beacon, session: `s${index}` }]));
    await server.stop();
    const before = (await readTrialFolder(folder)).data;
    const tomorrow = Date.now() + 86_400_000;
    expect(await rollDays(folder, trial, tomorrow)).toMatchObject({ sessions: 30, deleted: [] });
    const after = (await readTrialFolder(folder)).data;
    const inOrder = (rows: typeof before.sessions): unknown[] =>
      rows.toSorted((a, b) => (a.session < b.session ? -1 : 1));
    expect(inOrder(after.sessions)).toEqual(inOrder(before.sessions));
    const [day] = readdirSync(path.join(folder, 'parquet'));
    expect(day).toMatch(/^day=\d{4}-\d\d-\d\d$/);
    expect(readdirSync(path.join(folder, 'parquet', day!)).sort()).toEqual(['arm=h3', 'arm=tcp']);
    const late = await rollDays(folder, trial, tomorrow + trial.retentionDays * 86_400_000);
    expect(late.deleted).toEqual([day!.slice(4)]);
    expect((await readTrialFolder(folder)).data.sessions).toEqual([]);
    server = await start();
  });

  it('writes no address, no id, no query value and no salt', async () => {
    await server.stop();
    server = await start(trial, { behindProxy: true });
    await steering(
      `session=${beacon.session}&viewer=${encodeURIComponent(beacon.viewer!)}&_DASH_throughput=77777`,
    );
    await post(encodeBeacons([beacon]), {
      'X-Forwarded-For': '10.9.8.7, 203.0.113.77',
      'User-Agent': 'agent-of-the-test',
    });
    await server.stop();
    const names = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
      entry.isFile(),
    );
    const written = names
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'))
      .join('\n');
    const secrets = [
      beacon.session,
      'viewer-in-the-clear',
      '203.0.113',
      '10.9.8',
      '127.0.0',
      '77777',
      'agent-of',
    ];
    expect([...secrets, trial.salt].filter((secret) => written.includes(secret))).toEqual([]);
    const { data } = await readTrialFolder(folder);
    expect(data.sessions[0]!.network).toMatch(/^[0-9a-f]{24}$/);
    server = await start();
  });
});

describe('a folder', () => {
  it.each([
    ['name', { ...trial, name: 'another' }],
    ['salt', { ...trial, salt: 'another salt of a server' }],
    ['primary', { ...trial, primary: { ...trial.primary, margin: 7 } }],
    ['expected', { ...trial, expected: { ...trial.expected, spread: 7 } }],
  ])('with rows is refused where "%s" has changed', async (field, other) => {
    await steering('session=s1');
    await server.stop();
    await expect(start(other)).rejects.toThrow(`It has rows of a trial with another "${field}"`);
    server = await start({ ...trial, ttlSeconds: 30 });
  });

  it('without rows takes another trial', async () => {
    await server.stop();
    server = await start({ ...trial, name: 'another' });
    expect((await readTrialFolder(folder)).trial.name).toBe('another');
  });
});

it('says where a port is in use', async () => {
  const port = Number(new URL(server.url).port);
  await expect(
    startTrialServer(trial, { folder, host: '127.0.0.1', port, token: null, report: () => undefined }),
  ).rejects.toThrow(`Port ${port} is in use: --port names another.`);
});

it('limits by tokens that come back', () => {
  const limit = createRateLimit({ perSecond: 2, burst: 2, buckets: 8 });
  const at = (ms: number): boolean => limit.allows(3, ms);
  expect([at(0), at(0), at(0), at(500), at(500), limit.allows(4, 500)]).toEqual([
    true,
    true,
    false,
    true,
    false,
    true,
  ]);
});
