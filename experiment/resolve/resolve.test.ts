import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { copyPage } from './pages/pageFiles.ts';
import { buildPages } from './pages/pages.ts';
import { resolve, resolveFile, withSessions, type Resolved } from './resolve.ts';
import { comparedArms } from '../gate/gateArms.ts';
import type { CampaignFile } from '../design/campaignFile.ts';
import { usualGate } from '../design/gateFile.ts';
import { gateCampaign } from '../design/readGate.ts';
import { startingFile } from '../design/startingFile.ts';
import { campaignMounts } from '../runner/campaignMounts.ts';
import { keepPlan } from '../runner/keepPlan.ts';
import { keepWeights } from '../runner/prepare.ts';
import { writeSimulated } from '../runner/simulated/playSimulated.ts';
import { paddedFolder } from '../../lab/content/padded/paddedStream.ts';
import { readerOnce, readPlainFile } from '../../node/files.ts';
import { envivio } from '../../src/sim/envivio.ts';

let folder = '';
beforeEach(() => void (folder = mkdtempSync(path.join(tmpdir(), 'pitwall-resolve-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

function write(name: string, content: string | object): string {
  const file = path.join(folder, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content));
  return file;
}

const NET = readFileSync(path.join(import.meta.dirname, '../../public/models/neural.json'), 'utf8');
const path1 = (step: object): object => ({ schema: 'pitwall-profile/1', label: 'A path', steps: [step] });
const TABLE = 'padded:film:ladder=200,400';

/** What a campaign names, as it is when it is resolved, and otherwise. */
const INPUTS = {
  profile: { campaign: { profiles: ['bus.json'] }, names: 'bus.json' },
  trace: { campaign: { profiles: ['dvl', 'tram.json'] }, names: 'tram.json' },
  table: { campaign: { profiles: ['dvl'], contents: [TABLE] }, names: TABLE },
  weights: { campaign: { rules: ['neural:weights=net.json'] }, names: 'neural:weights=net.json' },
  'rule file': { campaign: { rules: ['./mine.ts', 'bola'] }, names: './mine.ts' },
  page: {
    campaign: {
      compare: 'pages',
      transports: ['h2'],
      pages: [
        { name: 'own', page: 'built' },
        { name: 'new', page: './dist-a' },
      ],
    },
    names: 'The page new (./dist-a)',
  },
  'build of dash.js': {
    campaign: {
      compare: 'pages',
      transports: ['h2'],
      pages: [
        { name: 'own', page: 'built' },
        { name: 'new', page: './dash.mjs' },
      ],
    },
    names: 'The page new (./dash.mjs)',
  },
} as const satisfies Record<string, { campaign: Partial<CampaignFile>; names: string }>;
type Input = keyof typeof INPUTS;
const inputs = Object.keys(INPUTS) as Input[];

/** A rule file whose rule always takes one level, counted from 0. */
const ruleAt = (rung: number): string => `import type { Rule } from '@pitwall/abr';
export default {
  id: 'mine',
  start: ({ ladder }) => ladder.length,
  observe: (rungs) => rungs,
  decide: (rungs) => ({ rung: Math.min(${rung}, rungs - 1), because: 'So.' }),
} satisfies Partial<Rule<number>>;
`;

const first = (): void => {
  write('bus.json', path1({ durationMs: 5000, downKbps: 2000, rttMs: 40 }));
  write('tram.json', path1({ trace: 'tram.log', rttMs: 30 }));
  write('tram.log', '0 2\n300 1\n');
  write('film/video_size_0', '100000\n100000\n');
  write('film/video_size_1', '200000\n200000\n');
  write('net.json', NET);
  write('mine.ts', ruleAt(0));
  write('dist-a/index.html', '<title>Pitwall</title> one');
  write('dash.mjs', 'const VERSION = "5.0.3"; export { MediaPlayer }; // one');
};
const later = (): void => {
  write('bus.json', path1({ durationMs: 5000, downKbps: 2001, rttMs: 40 }));
  write('tram.log', '0 2\n300 1\n500 3\n900 2\n');
  write('film/video_size_1', '200000\n200001\n');
  write('mine.ts', ruleAt(1));
  write('net.json', { ...(JSON.parse(NET) as object), name: 'another' });
  write('dist-a/index.html', '<title>Pitwall</title> two');
  write('dash.mjs', 'const VERSION = "5.0.3"; export { MediaPlayer }; // two');
};

function campaignOf(changes: Partial<CampaignFile>): string {
  const usual = { rules: ['throughput'], transports: ['h2', 'h3-only'], repeats: 1, seeds: [1] };
  return write('c.json', { ...startingFile, ...usual, ...changes });
}

/** A resolved campaign whose input was written anew since. */
async function changed(input: Input): Promise<Resolved> {
  first();
  const resolved = await resolveFile(campaignOf(INPUTS[input].campaign));
  later();
  return resolved;
}

/** Plays what was resolved in the simulator, with its streams as tables. Returns the logs. */
async function simulatedLogs({ plan, recipes, weights }: Resolved): Promise<string[]> {
  const logDir = path.join(folder, 'logs');
  mkdirSync(logDir, { recursive: true });
  const { sessions, networks, campaign } = plan;
  const contents = Object.fromEntries(
    campaign.contents.map((name) => {
      const sizesBytes = recipes.get(name)?.video.map((level) => level.sizesBytes);
      const { ladder, ...video } = envivio.video;
      const table = { ...video, ladder: ladder.slice(0, 2), segments: sizesBytes?.[0]!.length, sizesBytes };
      return [
        name,
        { ...envivio, manifestBytes: 3000, ...(sizesBytes && { video: table as typeof envivio.video }) },
      ];
    }),
  );
  const about = { networks, contents, seconds: 20, preset: 'experiment', logDir, weights };
  await writeSimulated({ ...about, sessions }, { from: 0, to: sessions.length });
  return sessions.map(({ id }) => readFileSync(path.join(logDir, `${id}.json`), 'utf8'));
}

/** Without what differs by the clock. */
const withoutTimes = (logs: readonly string[]): string[] =>
  logs.map((log) => log.replaceAll(/"startedAt\w*":[^,}]*/g, ''));

describe.each<Input>(['profile', 'trace', 'table', 'weights', 'rule file'])(
  'a %s that is written anew after planning',
  (input) => {
    test('is played as it was hashed', async () => {
      first();
      const profiles = input === 'weights' || input === 'rule file' ? { profiles: ['dvl'] } : {};
      const file = campaignOf({ ...INPUTS[input].campaign, ...profiles });
      const planned = withoutTimes(await simulatedLogs(await resolveFile(file)));
      const resolved = await resolveFile(file);
      later();
      expect(withoutTimes(await simulatedLogs(await resolveFile(file)))).not.toEqual(planned);
      expect(withoutTimes(await simulatedLogs(resolved))).toEqual(planned);
      for (const name of ['bus.json', 'tram.json', 'tram.log', 'film', 'net.json', 'mine.ts'])
        rmSync(path.join(folder, name), { recursive: true });
      expect(withoutTimes(await simulatedLogs(resolved))).toEqual(planned);
    });
  },
);

test('a stream is made of the table that its plan names', async () => {
  const resolved = await changed('table');
  const make = (_: string, recipe: Parameters<typeof paddedFolder>[0]) =>
    Promise.resolve(path.basename(paddedFolder(recipe, '')));
  const { mounts } = await campaignMounts(resolved, { print: () => undefined, make });
  expect(Object.values(mounts)).toEqual([resolved.plan.contents![0]!.folder]);
});

test('weights play in browsers as they were hashed', async () => {
  const { weights, plan } = await changed('weights');
  const kept = keepWeights(weights, folder).weights!['neural:weights=net.json']!;
  expect(readFileSync(kept.file, 'utf8')).toBe(NET);
  expect(path.basename(kept.file)).toBe(`${plan.weights![0]!.sha256}.json`);
});

test('a rule file is called by its id, plays in browsers as it was hashed, and has its text beside the logs', async () => {
  const { weights, plan } = await changed('rule file');
  expect(plan.campaign.rules).toEqual(['mine', 'bola']);
  expect(plan.sessions.map(({ rule }) => rule)).toContain('mine');
  const sha256 = createHash('sha256').update(ruleAt(0)).digest('hex');
  expect(plan.weights).toEqual([{ rule: 'mine', spec: 'mine', sha256, file: './mine.ts' }]);
  const kept = keepWeights(weights, folder).weights!['mine']!;
  expect(kept).toMatchObject({ spec: 'mine', own: { name: 'mine.ts', sha256 } });
  expect(readFileSync(kept.file, 'utf8')).toContain('Math.min(0, rungs - 1)');
  expect(readFileSync(kept.file, 'utf8')).not.toContain('satisfies');
});

test('a page that is written anew after planning is refused by its name', async () => {
  const { pages } = await changed('page');
  const { source } = pages[1]!;
  if (source.kind !== 'folder') throw new Error('it is a built page');
  const copied = copyPage(source, path.join(folder, 'copy'), source.sha256);
  await expect(copied).rejects.toThrow('./dist-a: This page was written anew meanwhile. Start again when');
  await expect(
    buildPages([pages[1]!], { root: folder, appFolder: folder, print: () => undefined }),
  ).rejects.toThrow('./dist-a: This page was written anew meanwhile.');
});

test('a build of dash.js is in the page as it was hashed', async () => {
  const { pages, plan } = await changed('build of dash.js');
  const { source } = pages[1]!;
  expect(source.kind === 'player' && source.build.source).toContain('// one');
  expect(source.kind === 'player' && source.build.sha256).toBe(plan.pages![1]!.sha256);
});

test.each(inputs)('a folder that was begun with another %s is refused by its name', async (input) => {
  const resolved = await changed(input);
  const outDir = path.join(folder, 'out');
  keepPlan(outDir, resolved.plan);
  expect(keepPlan(outDir, resolved.plan)).toEqual(resolved.plan);
  const { plan } = await resolveFile(resolved.file);
  expect(() => keepPlan(outDir, plan)).toThrow(
    `plan.json: ${INPUTS[input].names} has changed since this folder was begun, and sessions of two versions are not compared. Name another folder with --out.`,
  );
});

test('a build of a player is refused where another player plays', async () => {
  write('hls.mjs', 'const version = "1.7.2", event = "hlsManifestLoading"; export { version };');
  const { campaign } = INPUTS['build of dash.js'];
  const pages = [campaign.pages[0], { name: 'new', page: './hls.mjs' }];
  await expect(resolveFile(campaignOf({ ...campaign, pages }))).rejects.toThrow(
    'new is a build of hls.js, and other players play: write "players": ["hlsjs"].',
  );
  const { plan } = await resolveFile(campaignOf({ ...campaign, pages, players: ['hlsjs'], rules: ['own'] }));
  expect(plan.sessions.map(({ player, page }) => [player, page])).toContainEqual(['hlsjs', 'new']);
});

test('each file is read once, however often a campaign names it', async () => {
  first();
  const reads: string[] = [];
  const read = readerOnce((file) => {
    reads.push(path.relative(folder, file));
    return readPlainFile(file);
  });
  const drawn = {
    profile: 'udp-limiter',
    limitKbps: [64, 500] as [number, number],
    count: 2,
    paths: ['file:bus.json'],
  };
  const campaign: CampaignFile = {
    ...startingFile,
    rules: ['neural:weights=net.json', 'neural:qoe=log:weights=net.json'],
    transports: ['h2'],
    profiles: ['bus.json', drawn, 'tram.json', 'trace:tram.log'],
    contents: [TABLE, 'padded:film:segment=2:ladder=300,400'],
    seeds: [1],
    compare: 'rules',
  };
  const { plan } = await resolve(campaign, path.join(folder, 'c.json'), { read });
  expect(plan.networks).toHaveLength(5);
  expect([...reads].sort()).toEqual(
    ['bus.json', 'film/video_size_0', 'film/video_size_1', 'net.json', 'tram.json', 'tram.log'].sort(),
  );
});

test('all rounds of a gate are of one reading, also of the file that names its rule', async () => {
  first();
  const reads: string[] = [];
  const read = readerOnce((file) => {
    reads.push(path.basename(file));
    return readPlainFile(file);
  });
  const file = path.join(folder, 'gate.json');
  const net = path.join(folder, 'net.json');
  const { arms } = await comparedArms({ base: 'bola', next: net }, usualGate, folder, read);
  later();
  const gate = { ...usualGate, profiles: ['bus.json'] };
  const inputs = await resolve(gateCampaign(gate, arms, 1), file, { read });
  rmSync(net);
  rmSync(path.join(folder, 'bus.json'));
  const { plan, weights } = withSessions(inputs, gateCampaign(gate, arms, 3));
  expect(weights[0]!.text).toBe(NET);
  expect(plan.sessions).toHaveLength(3 * withSessions(inputs).plan.sessions.length);
  expect(Object.keys(plan)).toEqual(['schema', 'campaign', 'networks', 'sessions', 'contents', 'weights']);
  expect(reads.sort()).toEqual(['bus.json', 'net.json']);
});
