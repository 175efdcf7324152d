import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import type { Page } from '@playwright/test';
import { freePort } from '../../lab/caddy/ports.ts';
import { demoMounts } from '../../lab/content/contentMounts.ts';
import {
  buildPackages,
  HLSJS_SCRIPT,
  SHAKA_SCRIPT,
  TELEMETRY_SCRIPT,
  TRIAL_SCRIPT,
} from '../../packages/build.mjs';
import { summarizeSession } from '../../src/analysis/sessionSummary.ts';
import type { PageTrial } from '../../src/shared/assignment.ts';
import { valueOf } from '../../src/shared/result.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { Beacon } from '../../src/telemetry/schema/trialBeacon.ts';
import { cohort } from '../../src/telemetry/shell/trial/cohort.ts';
import { playedTo, withPage } from '../fixtures/foreignPage.ts';
import { answersOf } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const packaged = (...names: string[]): string => path.join(root, 'node_modules', ...names);
const pitwall = path.join(root, 'bin', 'pitwall');

/** Pathways of the trial, each a mount of the origin with the demo. The first is the default, and what manifests name. */
const [USUAL, OTHER] = ['one', 'two'] as const;
type Pathway = typeof USUAL | typeof OTHER;
const TTL_S = 3;
/** How often the server looks for the file of the kill switch. */
const POLL_MS = 500;
/** What a busy machine may add between an answer and the next request. */
const MARGIN_MS = 3000;
/** Media that hls.js requests while its first steering manifest is on the way; the others wait for it. */
const BEFORE_STEERING = { dashjs: 0, hlsjs: 3, shaka: 0 } as const;
type PlayerName = keyof typeof BEFORE_STEERING;

declare global {
  interface Window {
    /** Ends the recording, and resolves to what became of its report and to its log. The player goes on. */
    endReported(): Promise<{ sending: string; log: string }>;
  }
}

const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A page of a trial</title></head>
  <body>
    <video muted></video>
    <script src="dash.js"></script>
    <script src="hls.js"></script>
    <script src="shaka.js"></script>
    <script src="telemetry.js"></script>
    <script src="hlsjs.js"></script>
    <script src="shakaTelemetry.js"></script>
    <script src="trial.js"></script>
    <script src="page.js" type="module"></script>
  </body>
</html>
`;
// A small buffer: media is requested every few seconds, so that a change of pathway is seen soon.
const SCRIPT = `
const query = new URLSearchParams(location.search);
const video = document.querySelector('video');

async function playDash(url) {
  const player = dashjs.MediaPlayer().create();
  player.updateSettings({ streaming: { buffer: { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 } } });
  const telemetry = await pitwallTelemetry.attachTelemetry(player, video);
  player.initialize(video, url, true);
  return telemetry;
}

async function playHls(url) {
  video.autoplay = true;
  const hls = new Hls({ enableWorker: false, maxBufferLength: 6, maxMaxBufferLength: 6 });
  // As docs/trial.md has it: else hls.js 1.7.4 may wait for ever for a segment that it dropped.
  hls.once(Hls.Events.STEERING_MANIFEST_LOADED, () => setTimeout(() => { hls.stopLoad(); hls.startLoad(); }));
  const telemetry = await pitwallHlsjs.attachHls(hls, video);
  hls.attachMedia(video);
  hls.loadSource(url);
  return telemetry;
}

async function playShaka(url) {
  video.autoplay = true;
  const player = new shaka.Player();
  player.configure({ streaming: { bufferingGoal: 6, rebufferingGoal: 1 } });
  const telemetry = await pitwallShaka.attachShaka(player, video);
  await player.attach(video);
  await player.load(url);
  return telemetry;
}

const play = { dashjs: playDash, hlsjs: playHls, shaka: playShaka }[query.get('player')];
const telemetry = await play(query.get('manifest'));
const report = pitwallTrial.reportTrial(telemetry, JSON.parse(query.get('report')));
globalThis.endReported = async () => {
  await telemetry.stop();
  return { sending: await report.stop(), log: JSON.stringify(await telemetry.exportLog()) };
};
`;

let site: string;
test.beforeAll(async () => {
  site = mkdtempSync(path.join(tmpdir(), 'pitwall-trial-site-'));
  const out = path.join(site, 'packages');
  await buildPackages(root, { out, names: ['telemetry'], types: false });
  for (const [script, name] of [
    [TELEMETRY_SCRIPT, 'telemetry.js'],
    [HLSJS_SCRIPT, 'hlsjs.js'],
    [SHAKA_SCRIPT, 'shakaTelemetry.js'],
    [TRIAL_SCRIPT, 'trial.js'],
  ] as const)
    copyFileSync(path.join(out, 'telemetry', script), path.join(site, name));
  copyFileSync(packaged('dashjs', 'dist', 'modern', 'umd', 'dash.all.min.js'), path.join(site, 'dash.js'));
  copyFileSync(packaged('hls.js', 'dist', 'hls.min.js'), path.join(site, 'hls.js'));
  copyFileSync(packaged('shaka-player', 'dist', 'shaka-player.compiled.js'), path.join(site, 'shaka.js'));
  writeFileSync(path.join(site, 'index.html'), PAGE);
  writeFileSync(path.join(site, 'page.js'), SCRIPT);
});
test.afterAll(() => rmSync(site, { recursive: true, force: true }));

/** `pitwall trial serve` at work, with what it printed for manifests and pages. */
interface Serving {
  readonly url: string;
  readonly folder: string;
  readonly printed: readonly string[];
  readonly trial: PageTrial;
  stop(): Promise<void>;
}

/** Writes a trial as `init` does, over two pathways of an origin, and serves it. */
async function serveTrial(baseUrlOf: (pathway: Pathway) => string): Promise<Serving> {
  const parent = mkdtempSync(path.join(tmpdir(), 'pitwall-trial-'));
  const [file, folder] = [path.join(parent, 'trial.json'), path.join(parent, 'data')];
  await promisify(execFile)(process.execPath, [pitwall, 'trial', 'init', file], { cwd: root });
  const written = JSON.parse(readFileSync(file, 'utf8')) as object;
  const arms = ([USUAL, OTHER] as const).map((pathway) => ({
    ...{ pathway, transport: pathway === USUAL ? 'tcp' : 'h3', share: 0.5 },
    baseUrl: baseUrlOf(pathway),
  }));
  writeFileSync(file, JSON.stringify({ ...written, arms, default: USUAL, ttlSeconds: TTL_S }));
  const port = await freePort(['127.0.0.1']);
  const args = ['--port', String(port), '--url', `http://127.0.0.1:${port}/`, '--out', folder];
  const serve = spawn(process.execPath, [pitwall, 'trial', 'serve', file, ...args], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const printed = (await printedBy(serve)).split('\n').map((line) => line.trim());
  const [, url] = /ready at (http:\/\/[\d.:]+\d)/.exec(printed.join('\n'))!;
  return {
    ...{ url: url!, folder, printed },
    trial: JSON.parse(printed.find((line) => line.startsWith('{"name"'))!) as PageTrial,
    async stop() {
      if (serve.exitCode === null && serve.signalCode === null) {
        serve.kill('SIGTERM');
        await once(serve, 'exit');
      }
      rmSync(parent, { recursive: true, force: true });
    },
  };
}

/** What a server prints until it is ready. */
async function printedBy(serve: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of serve.stdout!) {
    text += String(chunk);
    if (text.includes('Report: pitwall trial report')) return text;
  }
  throw new Error(`pitwall trial serve ended: ${text}`);
}

/** Ids of a session that is assigned the pathway that manifests do not name. */
function assignedOther(trial: PageTrial): { session: string; viewer: string } {
  for (let index = 0; ; index++) {
    const session = `session-in-the-clear-${index}`;
    if (cohort(trial, session) === OTHER) return { session, viewer: 'viewer-in-the-clear' };
  }
}

interface Ids {
  readonly session: string;
  readonly viewer: string;
}

const withIds = (line: string, { session, viewer }: Ids): string =>
  line.replace('=SESSION', `=${session}`).replace('=VIEWER', `=${viewer}`);

const demo = (file: string): string => readFileSync(path.join(Object.values(demoMounts())[0]!, file), 'utf8');

/** Puts the printed lines into the demo's MPD. */
function steeredMpd({ printed }: Serving, ids: Ids): string {
  const lines = printed.filter((line) => /^<(?:BaseURL|ContentSteering) /.test(line));
  expect(lines).toHaveLength(3);
  return demo('manifest.mpd').replace('<Period', `${withIds(lines.join('\n'), ids)}\n<Period`);
}

/** The demo's multivariant playlist with all variants once for each pathway, and the printed line. */
function steeredPlaylist({ printed, trial }: Serving, ids: Ids): string {
  const steering = printed.find((line) => line.startsWith('#EXT-X-CONTENT-STEERING'))!;
  const lines = demo('manifest.m3u8').trim().split('\n');
  const first = lines.findIndex((line) => /^#EXT-X-(?:MEDIA|STREAM-INF)/.test(line));
  const variants = trial.arms.flatMap(({ pathway, baseUrl }) =>
    lines.slice(first).map((line) =>
      line
        .replace(/^(?!#)/, baseUrl)
        .replace(/"(sound-\d+)"/, `"$1-${pathway}"`)
        .replace(/URI="/, `URI="${baseUrl}`)
        .replace(/^#EXT-X-STREAM-INF:/, `#EXT-X-STREAM-INF:PATHWAY-ID="${pathway}",`),
    ),
  );
  return `${[...lines.slice(0, first), withIds(steering, ids), ...variants].join('\n')}\n`;
}

type Origin = Parameters<typeof answersOf>[0];

/** Segments of video that the origin answered below a pathway since a moment. */
const segmentsOf = (origin: Origin, pathway: Pathway, sinceMs = 0) =>
  answersOf(origin, `/${pathway}/`).filter(
    ({ uri, startMs }) => startMs > sinceMs && /\/video-\d+\/\d+\.m4s/.test(uri),
  );

const rowsIn = (folder: string, kind: string): Record<string, unknown>[] =>
  readdirSync(path.join(folder, kind))
    .flatMap((name) => readFileSync(path.join(folder, kind, name), 'utf8').split('\n'))
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Record<string, unknown>);

for (const player of ['dashjs', 'hlsjs', 'shaka'] as const)
  test(`a trial steers and collects a session of ${player}`, async () => {
    const folder = Object.values(demoMounts())[0]!;
    await withPage(
      site,
      async (page, address, origin) => {
        const serving = await serveTrial((pathway) => `${origin.httpsUrl}/${pathway}/`);
        try {
          const ids = assignedOther(serving.trial);
          const file = player === 'hlsjs' ? 'steered.m3u8' : 'steered.mpd';
          const manifest = (player === 'hlsjs' ? steeredPlaylist : steeredMpd)(serving, ids);
          writeFileSync(path.join(site, file), manifest);
          const report = {
            ...{ trial: serving.trial, url: `${serving.url}/events`, ...ids },
            ...{ consent: true, networkClass: 'lab' },
          };
          await page.goto(address({ player, manifest: `/${file}`, report: JSON.stringify(report) }));

          await test.step('the assigned pathway carries the media, also after a reload', async () => {
            await expectSteered(page, origin, player);
            const reloadedMs = Date.now();
            await page.reload();
            await expectSteered(page, origin, player, reloadedMs);
          });
          await test.step('its report arrives as the log says', () => expectReported(page, serving, ids));
          await test.step('the kill switch moves it within one TTL, and back', () =>
            expectKillSwitch(serving, origin));
          await test.step('it plays on without the steering server', async () => {
            await serving.stop();
            const fromS = await page.evaluate(() => document.querySelector('video')!.currentTime);
            await playedTo(page, fromS + 3 * TTL_S);
            expect(await page.evaluate(() => document.querySelector('video')!.error)).toBeNull();
          });
        } finally {
          await serving.stop();
        }
      },
      { [`/${USUAL}`]: folder, [`/${OTHER}`]: folder },
    );
  });

/** Expects the media of the pathway that manifests do not name, but for what was requested before the server answered. */
async function expectSteered(page: Page, origin: Origin, player: PlayerName, sinceMs = 0): Promise<void> {
  await playedTo(page, 12);
  const [usual, other] = ([USUAL, OTHER] as const).map((pathway) => segmentsOf(origin, pathway, sinceMs)) as [
    ReturnType<typeof segmentsOf>,
    ReturnType<typeof segmentsOf>,
  ];
  expect(usual.length).toBeLessThanOrEqual(BEFORE_STEERING[player]);
  expect(other.length).toBeGreaterThan(1);
  expect(other.at(-1)!.startMs).toBeGreaterThan(usual.at(-1)?.startMs ?? 0);
  expect(other.every(({ sizeBytes }) => sizeBytes > 0)).toBe(true);
}

/** Ends the recording, and expects its numbers in the collector, with no id in the clear. */
async function expectReported(page: Page, { folder, url }: Serving, ids: Ids): Promise<void> {
  const posted: Beacon[] = [];
  page.on('request', (request) => {
    if (request.url() === `${url}/events` && request.method() === 'POST')
      posted.push(JSON.parse(request.postData()!) as Beacon);
  });
  const { sending, log } = await page.evaluate(() => window.endReported());
  expect(sending).toBe('sent');
  const beacon = posted.at(-1)!;
  const summary = summarizeSession(valueOf(readSession(log)))!;
  const whole = { h3Bytes: Math.round(summary.h3Bytes), tcpBytes: Math.round(summary.tcpBytes) };
  expect(beacon).toMatchObject({ ...summary, ...whole, ...ids, networkClass: 'lab', pathway: OTHER });
  expect(beacon.cohort).toBe(OTHER);
  expect(beacon.joinMs).toBeGreaterThan(0);
  expect(beacon.playedMs).toBeGreaterThan(5000);
  expect(beacon.tcpBytes).toBeGreaterThan(100_000);
  const { joinMs, playedMs, stalledMs, stalls, bitrateKbps, errors, h3Bytes, tcpBytes } = beacon;
  expect(rowsIn(folder, 'sessions').at(-1)).toMatchObject({
    ...{ arm: OTHER, pathway: OTHER, networkClass: 'lab' },
    ...{ joinMs, playedMs, stalledMs, stalls, bitrateKbps, errors, h3Bytes, tcpBytes },
  });
  const rows = [...rowsIn(folder, 'sessions'), ...rowsIn(folder, 'assignments')];
  expect(new Set(rows.map(({ session }) => session)).size).toBe(1);
  expect(new Set(rows.map(({ arm }) => arm))).toEqual(new Set([OTHER]));
  expect(JSON.stringify(rows)).not.toContain('in-the-clear');
}

/** Turns the switch on and off, and expects no media of the other pathway once a TTL has passed. */
async function expectKillSwitch({ folder }: Serving, origin: Origin): Promise<void> {
  const file = path.join(folder, 'kill');
  const killedMs = Date.now();
  writeFileSync(file, '');
  const fromMs = killedMs + POLL_MS + TTL_S * 1000 + MARGIN_MS;
  await expect.poll(() => segmentsOf(origin, USUAL, fromMs).length, { timeout: 40_000 }).toBeGreaterThan(1);
  expect(segmentsOf(origin, OTHER, fromMs)).toEqual([]);
  unlinkSync(file);
  const resumedMs = Date.now();
  await expect
    .poll(() => segmentsOf(origin, OTHER, resumedMs).length, { timeout: 40_000 })
    .toBeGreaterThan(0);
}
