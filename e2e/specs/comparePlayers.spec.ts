import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { CampaignPlan } from '../../experiment/design/plan.ts';
import { startingFile } from '../../experiment/design/startingFile.ts';
import { readAccessLog, type AccessRecord } from '../../lab/caddy/accessLog.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { pick } from '../../src/shared/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { expect, test } from '../fixtures/test.ts';

const run = promisify(execFile);
const root = path.dirname(path.dirname(import.meta.dirname));
const pitwall = async (...args: string[]): Promise<string> =>
  (await run(process.execPath, [path.join(root, 'bin', 'pitwall'), ...args], { cwd: root, maxBuffer: 1e8 }))
    .stdout;

const PLAYERS = [
  { id: 'dashjs', version: undefined, own: 'dashjs-dynamic', manifest: 'manifest.mpd' },
  { id: 'hlsjs', version: 'hls.js 1.7.4', own: 'hlsjs-abr', manifest: 'manifest.m3u8' },
  { id: 'shaka', version: 'shaka-player 5.2.12', own: 'shaka-abr', manifest: 'manifest.mpd' },
] as const;

/** One pair of six arms: each player with its own rule, and with one that all of them have. */
const campaign = {
  ...startingFile,
  name: 'players',
  rules: ['own', 'bba-2'],
  transports: ['h2'],
  players: PLAYERS.map(({ id }) => id),
  repeats: 1,
  seeds: [1],
  seconds: 8,
  compare: 'players',
};

test.describe.configure({ mode: 'serial' });

test.describe('a campaign over players', () => {
  let folder = '';
  let table = '';
  let sent: readonly AccessRecord[] = [];
  const logs = new Map<string, SessionLog>();
  const logOf = (rule: string, player: string): SessionLog => logs.get(`${rule}/h2/${player}`)!;

  test.beforeAll(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'pitwall-players-'));
    const file = path.join(folder, 'c.json');
    const out = path.join(folder, 'out');
    await writeFile(file, JSON.stringify(campaign));
    table = await pitwall('compare', file, '--out', out);
    sent = readAccessLog(path.join(out, 'origin-access.jsonl'));
    const plan = JSON.parse(await readFile(path.join(out, 'plan.json'), 'utf8')) as CampaignPlan;
    for (const { id, design } of plan.sessions) {
      const log = readSession(await readFile(path.join(out, 'sessions', `${id}.json`), 'utf8'));
      if (!log.ok) throw new Error(log.error);
      expect(log.value.design).toEqual(design);
      logs.set(design.arm, log.value);
    }
  });

  test.afterAll(() => rm(folder, { recursive: true, force: true }));

  test('has a row for each arm, and says what the players have of their own', () => {
    expect(logs.size).toBe(6);
    for (const rule of ['own', 'bba-2'])
      for (const { id } of PLAYERS) expect(table).toMatch(new RegExp(`^${rule} +(h2 +)?${id} +1 of 1 `, 'm'));
    expect(table).toContain('players have their own buffers and settings');
  });

  for (const rule of ['own', 'bba-2'])
    for (const { id, version, own, manifest } of PLAYERS)
      test(`${id} plays by ${rule}, and the origin saw what its log says`, () => {
        const log = logOf(rule, id);
        const { environment } = log;
        const decides = rule === 'own' ? own : rule;
        expect([environment.player, environment.rule]).toEqual([version, decides]);
        expect(environment.dashjsVersion === null).toBe(id !== 'dashjs');
        expect(eventsOf(log, 'rule').map((event) => event.rule)).toEqual([decides]);
        // hls.js also says where it gives a request up for another.
        expect(eventsOf(log, 'error').filter(({ fatal, source }) => fatal || source === 'rule')).toEqual([]);
        expectSeen(log, { sent, manifest });
      });

  for (const { id } of PLAYERS)
    test(`in ${id} the replay of the common rule decides as it did`, () => {
      const { decisions, differences } = replayDifferences(logOf('bba-2', id), pick(abrRules, 'bba-2'));
      expect(decisions).toBeGreaterThan(2);
      expect(differences).toEqual([]);
    });
});

/** Expects the files that a log has in the log of the origin, and no others but what was in flight at the end. */
function expectSeen(
  log: SessionLog,
  { sent, manifest }: { sent: readonly AccessRecord[]; manifest: string },
): void {
  const answered = sent
    .filter(({ host, method }) => host.startsWith(`${log.id}.`) && method === 'GET')
    .map(({ uri }) => uri);
  expect(answered.filter((uri) => uri === `/media/demo/${manifest}`)).toHaveLength(1);
  const requests = requestsIn(log, ['manifest', 'init', 'index', 'media']);
  const whole = requests.filter(({ outcome }) => outcome === 'ok');
  expect(whole.length, formatRequests(requests)).toBeGreaterThan(6);
  for (const { url, protocol } of whole) {
    expect(answered, formatRequests(requests)).toContain(new URL(url).pathname);
    expect(protocol, url).toBe('h2');
  }
  const logged = new Set(requests.map(({ url }) => new URL(url).pathname));
  expect(answered.filter((uri) => /\.(m4s|mp4)$/.test(uri) && !logged.has(uri))).toEqual([]);
}

/** Builds that tell themselves from the installed ones by their version alone. */
const OTHER_BUILDS = [
  { player: 'hlsjs', file: 'hls.js/dist/hls.mjs', name: 'hls.js', versions: ['1.7.4', '1.7.99'] },
  {
    player: 'shaka',
    file: 'shaka-player/dist/shaka-player.compiled-es2021.js',
    name: 'shaka-player',
    versions: ['5.2.12', '5.2.99'],
  },
] as const;

for (const { player, file, name, versions } of OTHER_BUILDS)
  test(`pages with another build of ${name} play that build`, async () => {
    const [installed, other] = versions;
    const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-builds-'));
    try {
      const source = await readFile(path.join(root, 'node_modules', file), 'utf8');
      await writeFile(path.join(folder, path.basename(file)), source.replaceAll(installed, other));
      const pages = [
        { name: 'own', page: 'built' },
        { name: 'new', page: `./${path.basename(file)}` },
      ];
      const asked = { ...campaign, rules: ['own'], players: [player], pages, seconds: 5, compare: 'pages' };
      await writeFile(path.join(folder, 'c.json'), JSON.stringify(asked));
      const out = path.join(folder, 'out');
      await pitwall('compare', path.join(folder, 'c.json'), '--out', out);
      const plan = JSON.parse(await readFile(path.join(out, 'plan.json'), 'utf8')) as CampaignPlan;
      const played: Record<string, string | undefined> = {};
      for (const { id, page } of plan.sessions) {
        const log = readSession(await readFile(path.join(out, 'sessions', `${id}.json`), 'utf8'));
        if (!log.ok) throw new Error(log.error);
        expect(eventsOf(log.value, 'playback').map(({ state }) => state)).toContain('first-frame');
        played[page!] = log.value.environment.player;
      }
      expect(played).toEqual({ own: `${name} ${installed}`, new: `${name} ${other}` });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

test('the example is planned: three players, two rules, two transports', async () => {
  const plan = await pitwall('compare', 'docs/examples/players.campaign.json', '--dry-run');
  expect(plan).toContain('2 rules × 2 transports × 1 controller × 3 players');
  expect(plan).toContain('verdict on mean bitrate');
});

for (const [options, sentence] of [
  [
    ['--players=dashjs,hlsjs', '--split=1,6'],
    '--players: Only dash.js takes "split": leave that out, or all players but dashjs.',
  ],
  [['--rules=own'], '--rules: "own" is the rule that each player comes with'],
  [['--players=videojs'], 'Unknown player "videojs"; known: dashjs, hlsjs, shaka.'],
] as const)
  test(`compare ${options.join(' ')} is refused in one sentence`, async () => {
    const failure = await pitwall('compare', ...options).catch(
      (error: { stderr: string; code: number }) => error,
    );
    expect(failure).toMatchObject({ code: 2 });
    expect((failure as { stderr: string }).stderr).toContain(sentence);
  });
