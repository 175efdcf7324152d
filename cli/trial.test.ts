import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { main } from './main.ts';
import { runMain, type Ran } from './runMain.testing.ts';
import { BEACON_SCHEMA, type Beacon } from '../src/telemetry/schema/trialBeacon.ts';
import { encodeBeacons, hashId } from '../trial/design/beacon.ts';
import { sha256 } from '../trial/store/hash.ts';
import { readTrialFolder } from '../trial/store/readTrialFolder.testing.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-trial-cli-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const run = (...args: string[]): Promise<Ran> =>
  runMain(['trial', ...args], { main, folder, files: /^(?:[\w-]+\.(?:json|html|md)|simulated|empty)$/ });
const place = (name: string): string => path.join(folder, name);

beforeAll(async () => {
  expect((await run('init', 'trial.json')).status).toBe(0);
});

describe('pitwall trial', () => {
  it('init writes a file with a salt of its own and leaves it alone later', async () => {
    const before = readFileSync(place('trial.json'), 'utf8');
    expect(await run('init', 'trial.json')).toMatchObject({
      status: 1,
      stderr: 'pitwall: trial.json: It is there already, and is not overwritten.\n',
    });
    expect(readFileSync(place('trial.json'), 'utf8')).toBe(before);
    await run('init', 'second.json');
    expect(readFileSync(place('second.json'), 'utf8')).not.toBe(before);
  });

  it('power prints what the design finds, and what it may not claim', async () => {
    const { stdout, status } = await run(
      'power',
      'trial.json',
      '--deviation',
      '24',
      '--sessions-per-day',
      '500',
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/with a chance of 80 %: [\d.]+ percentage points/);
    expect(stdout).toContain('cannot show that it is inside the margin');
    expect(stdout).toContain('It may not claim:');
  });

  it('names what is wrong in a file', async () => {
    writeFileSync(place('wrong.json'), '{"schema": "pitwall-trial/1", "name": "A"}');
    expect(await run('power', 'wrong.json')).toMatchObject({
      status: 1,
      stderr:
        'pitwall: wrong.json: /name should be text of 1 to 64 characters that match ^[a-z0-9][a-z0-9-]*$, but it is "A".\n',
    });
  });

  it('simulates viewers and reports on them in every form', async () => {
    const made = await run('simulate', 'trial.json', '--sessions', '3000', '--out', 'simulated');
    expect(made.stdout).toMatch(
      /^simulated: 3000 sessions assigned, 29\d\d beacons received; the true difference in rebuffer-rate is −0\.\d{3,4} percentage points \(truth\.json\)\n/,
    );
    const again = await run('simulate', 'trial.json', '--sessions', '3000', '--out', 'simulated');
    expect(again).toMatchObject({ status: 1, stderr: expect.stringContaining('It is not empty') as string });

    const { stdout, status } = await run(
      ...['report', 'simulated', '--html', 'r.html', '--md', 'r.md', '--json', 'r.json'],
    );
    expect(status).toBe(0);
    expect(stdout).toMatch(/h3 against tcp, rebuffer rate: .*at any look/);
    const [html, markdown] = ['r.html', 'r.md'].map((name) => readFileSync(place(name), 'utf8')) as [
      string,
      string,
    ];
    for (const heading of ['Verdict', 'What the naive comparison would have said', 'Sample ratio', 'Looks']) {
      expect(stdout).toContain(heading);
      expect(html).toContain(`<h2>${heading}</h2>`);
      expect(markdown).toContain(`## ${heading}`);
    }
    expect(html).toContain('<svg');
    expect(html).not.toMatch(/<script|undefined|NaN/);
    const report = JSON.parse(readFileSync(place('r.json'), 'utf8')) as { primary: { metric: string }[] };
    expect(report.primary[0]!.metric).toBe('rebuffer-rate');
    const { salt } = JSON.parse(readFileSync(place('trial.json'), 'utf8')) as { salt: string };
    const texts = ['r.html', 'r.md', 'r.json', 'simulated/trial.json', 'simulated/truth.json'];
    expect(texts.filter((name) => readFileSync(place(name), 'utf8').includes(salt))).toEqual([]);
  });

  it('simulates whole days only', async () => {
    const file = JSON.parse(readFileSync(place('trial.json'), 'utf8')) as { stopping: object };
    const stopping = { ...file.stopping, days: 1.5 };
    writeFileSync(place('part.json'), JSON.stringify({ ...file, stopping }));
    expect(await run('simulate', 'part.json', '--out', 'empty')).toMatchObject({
      status: 1,
      stderr: 'pitwall: part.json: /stopping/days should be a whole number from 1 to 365, but it is 1.5.\n',
    });
    expect(existsSync(place('empty'))).toBe(false);
  });

  it('report says where there is nothing to report on', async () => {
    expect(await run('report', 'empty')).toMatchObject({
      status: 1,
      stderr: expect.stringContaining('There is no such file or folder.') as string,
    });
  });

  it('roll writes finished days as Parquet, and the report stays the same', async () => {
    const before = (await run('report', 'simulated')).stdout;
    // The simulated days are older than the retention for today.
    const { stdout } = await run('roll', 'simulated');
    expect(stdout).toMatch(
      /^simulated: 15 days with 29\d\d sessions rolled, 0 days deleted\n$|^simulated: 14 days/,
    );
    expect(existsSync(place('simulated/parquet'))).toBe(true);
    expect((await run('report', 'simulated')).stdout).toBe(before);
  });

  it('forget removes what is stored under an id, also of rolled days', async () => {
    const forget = (): Promise<Ran> => run('forget', 'trial.json', '--id', 's-1-0', '--data', 'simulated');
    expect((await forget()).stdout).toMatch(
      /^simulated: [01] beacons?, 0 CMCD events, 1 assignment removed\n$/,
    );
    expect((await forget()).stdout).toBe('simulated: 0 beacons, 0 CMCD events, 0 assignments removed\n');
    expect(await run('forget', 'second.json', '--id', 's-1-0', '--data', 'simulated')).toMatchObject({
      status: 1,
      stderr: 'pitwall: simulated: Its ids were hashed with another salt than that of the trial file.\n',
    });
  });

  it('serve has every acknowledged session once, however often it is killed', async () => {
    const acknowledged: string[] = [];
    for (let round = 0; round < 3; round++) {
      const serve = spawn(process.execPath, [
        'bin/pitwall',
        'trial',
        'serve',
        place('trial.json'),
        '--port',
        '0',
        '--out',
        place('served'),
        '--per-second',
        '100000',
      ]);
      const url = await addressOf(serve);
      let isDead = false;
      serve.once('exit', () => (isDead = true));
      for (let index = 0; !isDead; index++) {
        const session = `r${round}-${index}`;
        const answer = await fetch(`${url}/events`, {
          method: 'POST',
          body: encodeBeacons([{ ...beacon, session }]),
        }).catch(() => null);
        if (answer?.status === 204) acknowledged.push(session);
        // While the next ones are on their way.
        if (index === 8) setTimeout(() => serve.kill('SIGKILL'), 5);
      }
    }
    expect(acknowledged.length).toBeGreaterThan(10);
    const { data } = await readTrialFolder(place('served'));
    const { salt } = JSON.parse(readFileSync(place('trial.json'), 'utf8')) as { salt: string };
    const stored = data.sessions.map(({ session }) => session);
    expect(new Set(stored).size).toBe(stored.length);
    const hashes = acknowledged.map((id) => hashId({ salt }, { kind: 'session', id }, sha256));
    expect(hashes.filter((hash) => !stored.includes(hash))).toEqual([]);
  });
});

const beacon: Beacon = {
  ...{ schema: BEACON_SCHEMA, trial: 'first-trial', session: '', viewer: null, networkClass: null },
  ...{ startedMs: Date.UTC(2026, 0, 5), joinMs: 700, playedMs: 60_000, stalledMs: 0, stalls: 0 },
  ...{ bitrateKbps: 3000, errors: 0, h3Bytes: 1, tcpBytes: 0 },
};

/** The address that a server prints when it is ready. */
async function addressOf(serve: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of serve.stdout!) {
    text += String(chunk);
    const [, url] = /ready at (http:\/\/[\d.:]+\d)/.exec(text) ?? [];
    if (url !== undefined) return url;
  }
  throw new Error(text);
}
