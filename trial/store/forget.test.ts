import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { encodeCmcd, type Cmcd } from '@svta/cml-cmcd';
import { BEACON_SCHEMA, type Beacon } from '../../src/telemetry/schema/trialBeacon.ts';
import { encodeBeacons, hashId } from '../design/beacon.ts';
import { startingTrial } from '../design/startingTrial.ts';
import { CUSTOM_KEYS } from '../serve/cmcdEvents.ts';
import { startTrialServer, type TrialServer } from '../serve/trialServer.ts';
import { forgetId } from './forget.ts';
import { sha256 } from './hash.ts';
import { readTrialFolder } from './readTrialFolder.testing.ts';
import { partitionFilesOf, rollDays, rowsOfPartition } from './rollDays.ts';

const trial = startingTrial('salt-of-the-forgetting-test');
const root = mkdtempSync(path.join(tmpdir(), 'pitwall-forget-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(path.join(root, 'data-'));
});

const beacon: Beacon = {
  ...{ schema: BEACON_SCHEMA, trial: trial.name, session: '', viewer: null, networkClass: null },
  ...{ startedMs: Date.UTC(2026, 0, 5), joinMs: 700, playedMs: 60_000, stalledMs: 0, stalls: 0 },
  ...{ bitrateKbps: 3000, errors: 0, h3Bytes: 1, tcpBytes: 0 },
};
const sessionHash = (id: string): string => hashId(trial, { kind: 'session', id }, sha256);
const viewerHash = (id: string): string => hashId(trial, { kind: 'viewer', id }, sha256);

const start = (): Promise<TrialServer> =>
  startTrialServer(trial, {
    ...{ folder, host: '127.0.0.1', port: 0, token: null, perSecond: 10_000 },
    report: (sentence) => {
      throw new Error(sentence);
    },
  });

/** Three viewers with three sessions each: an assignment, a beacon and two CMCD events, of which the first does not name the viewer. */
async function fill({ url }: TrialServer): Promise<void> {
  for (const viewer of ['ann', 'bob', 'cem'])
    for (let count = 0; count < 3; count++) {
      const session = `${viewer}-${count}`;
      await fetch(`${url}/steering?session=${session}&viewer=${viewer}`);
      await fetch(`${url}/events`, { method: 'POST', body: encodeBeacons([{ ...beacon, session, viewer }]) });
      const lines = [{ sta: 's' }, { sta: 'p', msd: 640, [CUSTOM_KEYS.viewer]: viewer }].map((data, at) =>
        encodeCmcd(
          { v: 2, e: 'ps', ts: beacon.startedMs + at, sid: `cmcd-${session}`, ...data } as unknown as Cmcd,
          { version: 2, reportingMode: 'event' },
        ),
      );
      const headers = { 'Content-Type': 'application/cmcd' };
      const answer = await fetch(`${url}/events`, { method: 'POST', headers, body: lines.join('\n') });
      expect(answer.status).toBe(204);
    }
}

/** All that is on the disk: the bytes of every file, and what the compressed ones hold. */
async function written(): Promise<string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  const texts = files.map(({ parentPath, name }) => readFileSync(path.join(parentPath, name), 'latin1'));
  const rolled = await Promise.all(partitionFilesOf(folder).map(rowsOfPartition));
  return [...texts, JSON.stringify(rolled)].join('\n');
}

const hashesOf = (viewer: string): string[] => [
  viewerHash(viewer),
  ...[0, 1, 2].flatMap((count) => [
    sessionHash(`${viewer}-${count}`),
    sessionHash(`cmcd-${viewer}-${count}`),
  ]),
];
const found = async (hashes: readonly string[]): Promise<string[]> => {
  const text = await written();
  return hashes.filter((hash) => text.includes(hash));
};

const TOMORROW_MS = Date.now() + 86_400_000;

describe.each([
  ['JSON lines', false],
  ['Parquet', true],
])('in %s', (_, isRolled) => {
  beforeEach(async () => {
    const server = await start();
    await fill(server);
    await server.stop();
    if (isRolled) await rollDays(folder, trial, TOMORROW_MS);
  });

  it('nothing is left of a viewer, and all of the others', async () => {
    expect(await found(hashesOf('bob'))).toEqual(hashesOf('bob'));
    expect(await forgetId(folder, trial, 'bob')).toEqual({ beacons: 3, events: 6, assignments: 3 });
    expect(await found(hashesOf('bob'))).toEqual([]);
    for (const other of ['ann', 'cem']) expect(await found(hashesOf(other))).toEqual(hashesOf(other));
    const { data, tornLines } = await readTrialFolder(folder);
    expect([data.sessions.length, data.assignments.length, tornLines]).toEqual([12, 6, 0]);
    expect(await forgetId(folder, trial, 'bob')).toEqual({ beacons: 0, events: 0, assignments: 0 });
  });

  it('nothing is left of one session, and the others of its viewer are', async () => {
    expect(await forgetId(folder, trial, 'ann-1')).toEqual({ beacons: 1, events: 0, assignments: 1 });
    const one = sessionHash('ann-1');
    expect(await found(hashesOf('ann'))).toEqual(hashesOf('ann').filter((hash) => hash !== one));
  });

  it('an empty day and arm goes with its last row', async () => {
    for (const viewer of ['ann', 'bob', 'cem']) await forgetId(folder, trial, viewer);
    expect(await found(['ann', 'bob', 'cem'].flatMap(hashesOf))).toEqual([]);
    if (isRolled) expect(readdirSync(path.join(folder, 'parquet'))).toEqual([]);
    expect((await readTrialFolder(folder)).data.sessions).toEqual([]);
  });
});

it('a running server goes on in the same files, and loses nothing', async () => {
  const server = await start();
  await fill(server);
  const posts = Array.from({ length: 60 }, (_, index) =>
    fetch(`${server.url}/events`, {
      method: 'POST',
      body: encodeBeacons([{ ...beacon, session: `late-${index}`, viewer: 'dora' }]),
    }),
  );
  const [{ beacons }] = await Promise.all([forgetId(folder, trial, 'bob'), ...posts]);
  expect(beacons).toBe(3);
  await fetch(`${server.url}/events`, {
    method: 'POST',
    body: encodeBeacons([{ ...beacon, session: 'last' }]),
  });
  await server.stop();
  const { data } = await readTrialFolder(folder);
  const sessions = new Set(data.sessions.map(({ session }) => session));
  const wanted = [...posts.map((_, index) => `late-${index}`), 'last'].map(sessionHash);
  expect(wanted.filter((hash) => !sessions.has(hash))).toEqual([]);
  expect(await found(hashesOf('bob'))).toEqual([]);
});

describe('after a crash', () => {
  it('the next removal completes the one that was broken off, also of rows that no longer say whose they are', async () => {
    const server = await start();
    await fill(server);
    await server.stop();
    await rollDays(folder, trial, TOMORROW_MS);
    // As far as it came: bob's beacons and assignments are gone, and with them what links his CMCD sessions to him.
    const noted = { sessions: hashesOf('bob').slice(1), viewers: [viewerHash('bob')] };
    writeFileSync(path.join(folder, 'forgetting.json'), JSON.stringify(noted));
    const [events] = readdirSync(path.join(folder, 'events')).map((name) =>
      path.join(folder, 'events', name),
    );
    const lines = readFileSync(events!, 'utf8').split('\n');
    writeFileSync(events!, lines.filter((line) => !line.includes(viewerHash('bob'))).join('\n'));
    expect(await forgetId(folder, trial, 'nobody')).toEqual({ beacons: 3, events: 3, assignments: 3 });
    expect(await found(hashesOf('bob'))).toEqual([]);
    expect(existsSync(path.join(folder, 'forgetting.json'))).toBe(false);
  });

  it('what was cut off or half written goes, too, because nobody can tell whose it is', async () => {
    const server = await start();
    await fill(server);
    await server.stop();
    const [file] = readdirSync(path.join(folder, 'sessions')).map((name) =>
      path.join(folder, 'sessions', name),
    );
    const torn = `{"session":"${sessionHash('bob-0')}","vie`;
    for (const end of ['\n', '']) {
      writeFileSync(file!, `${readFileSync(file!, 'utf8')}${torn}${end}`);
      await forgetId(folder, trial, 'bob');
      expect(await found(hashesOf('bob'))).toEqual([]);
    }
    await rollDays(folder, trial, TOMORROW_MS);
    const day = readdirSync(path.join(folder, 'parquet'))[0]!;
    const arm = readdirSync(path.join(folder, 'parquet', day))[0]!;
    const half = path.join(folder, 'parquet', day, arm, 'sessions.parquet.1.tmp');
    writeFileSync(half, viewerHash('ann'));
    await forgetId(folder, trial, 'ann');
    expect(await found(hashesOf('ann'))).toEqual([]);
  });
});

describe('refuses', () => {
  beforeEach(async () => (await start()).stop());

  it('a folder of another salt, whose hashes it could not find', () =>
    expect(forgetId(folder, { ...trial, salt: 'another salt of the test' }, 'bob')).rejects.toThrow(
      `${folder}: Its ids were hashed with another salt than that of the trial file.`,
    ));

  it('to work beside a roll, and takes over the lock of a dead process', async () => {
    const lock = path.join(folder, 'changing.lock');
    writeFileSync(lock, String(process.ppid));
    const sentence = `${folder}: Process ${process.ppid} is changing its days. Wait until it has ended.`;
    await expect(forgetId(folder, trial, 'bob')).rejects.toThrow(sentence);
    await expect(rollDays(folder, trial, TOMORROW_MS)).rejects.toThrow(sentence);
    writeFileSync(lock, '4194305');
    expect(await forgetId(folder, trial, 'bob')).toMatchObject({ beacons: 0 });
    expect(existsSync(lock)).toBe(false);
  });
});
