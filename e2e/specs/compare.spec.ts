import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { readAccessLog } from '../../lab/caddy/accessLog.ts';
import { requestsIn } from '../fixtures/logEvents.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { expect, test } from '../fixtures/test.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';
import { pick } from '../../src/shared/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));
const TRANSPORTS = ['h1', 'h2', 'h3-racing', 'h3-only'] as const;

/** Removes one such element; whether there was one. */
function takeFrom(list: string[], wanted: string): boolean {
  const at = list.indexOf(wanted);
  if (at >= 0) list.splice(at, 1);
  return at >= 0;
}

const pitwall = (...args: string[]) =>
  run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 });

test.describe.configure({ mode: 'serial' });

test.describe('pitwall compare', () => {
  let outDir = '';
  const logs = new Map<string, SessionLog>();

  test.beforeAll(async () => {
    outDir = await mkdtemp(path.join(tmpdir(), 'pitwall-compare-'));
    const { stdout } = await pitwall('compare', '--seconds=10', '--rules=dashjs-bola', '--out', outDir);
    for (const transport of TRANSPORTS) {
      expect(stdout).toContain(transport);
      const session = readSession(await readFile(path.join(outDir, `dashjs-bola-${transport}.json`), 'utf8'));
      if (!session.ok) throw new Error(session.error);
      logs.set(transport, session.value);
    }
  });

  test.afterAll(() => rm(outDir, { recursive: true, force: true }));

  test('writes one valid log a session, and check says so', async () => {
    const files = TRANSPORTS.map((transport) => path.join(outDir, `dashjs-bola-${transport}.json`));
    const { stdout } = await pitwall('check', ...files);
    expect(stdout.match(/valid pitwall-session\/2/g)).toHaveLength(4);
  });

  for (const [transport, protocol] of [
    ['h1', 'http/1.1'],
    ['h2', 'h2'],
    ['h3-only', 'h3'],
  ] as const)
    test(`${transport}: every request on ${protocol}`, () => {
      const requests = requestsIn(logs.get(transport)!, ['manifest', 'init', 'media']).filter(
        ({ outcome }) => outcome !== 'aborted',
      );
      expect(requests.length).toBeGreaterThan(6);
      expect(new Set(requests.map((each) => each.protocol))).toEqual(new Set([protocol]));
      expect(logs.get(transport)!.environment.transport).toBe(transport);
    });

  test('h3-racing: the first request on h2, then h3', () => {
    const log = logs.get('h3-racing')!;
    const [first] = requestsIn(log, ['manifest', 'init', 'media']);
    expect(first?.protocol).toBe('h2');
    // What is in flight when the session is stopped has no response, and so no protocol.
    const media = requestsIn(log)
      .filter(({ outcome }) => outcome !== 'aborted')
      .map(({ protocol }) => protocol);
    // By Chromium's own word: so it comes.
    expect(log.environment.happyEyeballs).toBe(false);
    const firstH3 = media.indexOf('h3');
    expect(firstH3).toBeGreaterThanOrEqual(0);
    expect(new Set(media.slice(firstH3))).toEqual(new Set(['h3']));
  });

  for (const transport of TRANSPORTS)
    test(`${transport}: no request lost, none invented`, () => {
      const answered = readAccessLog(path.join(outDir, 'origin-access.jsonl')).filter(
        ({ host, uri, method }) =>
          host.startsWith(`dashjs-bola-${transport}.`) && method === 'GET' && /\.(m4s|mp4)$/.test(uri),
      );
      const logged = requestsIn(logs.get(transport)!, ['media', 'init']);
      const uris = answered.map(({ uri }) => uri);
      const unanswered = logged.filter((each) => !takeFrom(uris, new URL(each.url).pathname));
      expect(uris, 'answered, and not in the log').toEqual([]);
      // What was in flight when the session was stopped may not have reached the origin: one for each kind of media.
      expect(unanswered.filter(({ outcome }) => outcome !== 'aborted')).toEqual([]);
      expect(unanswered.length).toBeLessThanOrEqual(2);
    });
});

test('a net of one’s own is played, and stays beside its log', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-own-net-'));
  try {
    const file = path.join(folder, 'net.json');
    await writeFile(file, JSON.stringify(testWeights()));
    const outDir = path.join(folder, 'out');
    const rules = `--rules=pensieve:weights=${file}`;
    await pitwall('compare', '--seconds=6', rules, '--transports=h2', '--out', outDir);
    const [name] = (await readdir(outDir)).filter((each) => /^pensieve.*-[0-9a-f]{8}\.json$/.test(each));
    const log = readSession(await readFile(path.join(outDir, name!), 'utf8'));
    if (!log.ok) throw new Error(log.error);
    expect(log.value.environment.ruleParameters).toMatchObject({ weights: 'made by a test' });
    const net = await pick(abrRules, 'pensieve').withWeights!(await readFile(file, 'utf8'));
    if (!net.ok) throw new Error(net.error);
    const { decisions, differences } = replayDifferences(log.value, net.value);
    expect(decisions).toBeGreaterThan(2);
    expect(differences).toEqual([]);
    const [kept] = await readdir(path.join(outDir, 'weights'));
    expect(await readFile(path.join(outDir, 'weights', kept!), 'utf8')).toBe(await readFile(file, 'utf8'));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

test('a second server of a stream elsewhere: what it offers first, then a session of each policy', async ({
  origin,
}) => {
  const second = await startOrigin();
  const outDir = await mkdtemp(path.join(tmpdir(), 'pitwall-pathways-'));
  const server = `localhost:${second.httpPort}`;
  const played = (pathway: string, ...more: string[]) =>
    pitwall(
      ...['compare', '--seconds=4', '--rules=dashjs-bola', '--transports=h1', ...more],
      ...['--mpd', `http://localhost:${origin.httpPort}/media/test/template/manifest.mpd`],
      ...['--pathway', pathway, '--out', outDir],
    );
  try {
    const policies = ['browser', 'fixed:pathway=tcp'];
    const { stdout } = await played(`tcp=http://${server}`, `--steering=${policies.join()}`);
    expect(stdout).toMatch(
      new RegExp(`^ {2}tcp +${server} +206 +sha256 [0-9a-f]{8} +yes +yes +yes +http/1\\.1$`, 'm'),
    );
    const files = (await readdir(outDir)).filter((name) => /^dashjs-bola-h1-.*\.json$/.test(name));
    const logs = await Promise.all(files.map((name) => readFile(path.join(outDir, name), 'utf8')));
    const last = logs.map((text) => {
      const session = readSession(text);
      if (!session.ok) throw new Error(session.error);
      const { policy } = session.value.environment.steering!;
      return [policy, requestsIn(session.value, ['media']).at(-1)?.pathway];
    });
    expect(last.sort()).toEqual([
      ['browser', 'main'],
      ['fixed', 'tcp'],
    ]);
    const refused = await played(`tcp=http://${server}/status/404/media/test/template`).catch(
      (error: { stderr: string; code: number }) => error,
    );
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.stderr).toContain(`The pathway tcp cannot be used: ${server} answers 404.`);
  } finally {
    await second.stop();
    await rm(outDir, { recursive: true, force: true });
  }
});

test('compare names an unknown rule and what is known', async () => {
  const failure = await pitwall('compare', '--rules', 'dashjs-bola,magic').catch(
    (error: { stderr: string; code: number }) => error,
  );
  expect(failure).toMatchObject({ code: 2 });
  expect(failure.stderr).toContain(
    'Unknown rule "magic"; known: dashjs-dynamic, dashjs-throughput, dashjs-bola',
  );
});
