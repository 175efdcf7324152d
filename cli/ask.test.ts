import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { main } from './main.ts';
import { runMain, type Ran } from './runMain.testing.ts';
import { HLS, liveStream } from '../experiment/doctor/filePlants.testing.ts';
import { startFiles, type Started } from '../experiment/doctor/startFiles.testing.ts';
import { testFolder } from '../lab/content/testStreams.ts';
import { requireTool } from '../lab/tools.ts';
import type { CampaignFile } from '../experiment/design/campaignFile.ts';
import { EXIT } from '../node/exitCodes.ts';

const folder = mkdtempSync(path.join(tmpdir(), 'pitwall-ask-'));
let served: Started;

beforeAll(async () => {
  cpSync(path.join(testFolder(requireTool('cacheFolder')), 'template'), folder, { recursive: true });
  writeFileSync(path.join(folder, 'hls.m3u8'), HLS);
  const text = readFileSync(path.join(folder, 'manifest.mpd'), 'utf8');
  writeFileSync(path.join(folder, 'live.mpd'), liveStream.files!.text!(text, '/live.mpd'));
  served = await startFiles(folder, {});
});
afterAll(async () => {
  await served.stop();
  rmSync(folder, { recursive: true, force: true });
});

const run = (...args: string[]): Promise<Ran> => runMain(args, { main, folder, files: /^\w+\.json$/ });
const ask = (file: string, ...args: string[]): Promise<Ran> =>
  run('ask', `http://127.0.0.1:${served.port}/${file}`, ...args);
const campaignIn = (file: string): CampaignFile =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as CampaignFile;

test.each([
  ['manifest.mpd', 'links.json', ['--on', 'links'], ['padded:links.sizes.json:segment=2']],
  ['live.mpd', 'live.json', ['--on', 'links'], ['live:padded:envivio:segment=2:ladder=150,300,600']],
  ['manifest.mpd', 'server.json', ['--on', 'server'], null],
])(
  '%s → %s: the plan of the written file is possible, and is what was printed',
  async (name, out, on, contents) => {
    const { stdout, stderr, status } = await ask(name, '--out', out, ...on);
    expect([status, stderr]).toEqual([0, '']);
    expect(campaignIn(out).contents).toEqual(contents ?? [`http://127.0.0.1:${served.port}/manifest.mpd`]);
    expect(stdout).toMatch(/^verdict on .*: possible\. /m);
    const plan = await run('compare', out, '--dry-run');
    expect(plan.status).toBe(0);
    expect(stdout).toContain(plan.stdout.trim());
    const printed = stdout.split('\n').filter((line) => line.startsWith('  pitwall '));
    expect(printed).toHaveLength(2);
    expect(printed[1]).toBe(`  pitwall report runs/${campaignIn(out).name} --answer`);
  },
);

test('nothing is overwritten; what is no MPD is refused in one sentence', async () => {
  writeFileSync(path.join(folder, 'kept.json'), 'mine');
  const kept = await ask('manifest.mpd', '--out', 'kept.json');
  expect([kept.status, kept.stderr]).toEqual([
    EXIT.failed,
    'pitwall: kept.json: The file exists. Name another with --out, or remove it.\n',
  ]);
  expect(readFileSync(path.join(folder, 'kept.json'), 'utf8')).toBe('mine');
  for (const [file, sentence] of [
    ['hls.m3u8', /It is no MPD\. Campaigns play DASH: name the MPD of this stream/],
    ['video-1/1.m4s', /It is no MPD\. Campaigns play DASH: name the MPD\.$/m],
    ['none.mpd', /none\.mpd: The server answers 404\.$/m],
  ] as const) {
    const { stderr, status } = await ask(file, '--out', 'x.json');
    expect(status).toBe(EXIT.failed);
    expect(stderr).toMatch(sentence);
  }
});
