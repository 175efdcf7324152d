import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { buildPackages, ELEMENT_SCRIPT, TELEMETRY_SCRIPT } from '../../packages/build.mjs';
import type { RequestEvent } from '../../src/telemetry/event.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { playedTo, withPage } from '../fixtures/foreignPage.ts';
import { eventsOf, formatRequests, requestsIn } from '../fixtures/logEvents.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const DASHJS = path.join(root, 'node_modules', 'dashjs', 'dist', 'modern', 'umd', 'dash.all.min.js');

/** How far apart the two recordings may be, ms: each has a clock of its own, and one sees the end of a request a task later. */
const APART_MS = 50;

/** What the page of these tests offers: both recordings end, and their logs as text. */
declare global {
  interface Window {
    bothLogs(): Promise<{ player: string; element: string }>;
  }
}

/** Plays with dash.js, recorded by both recorders at once. It plays when the stream is there, so that both see the same `play`. */
const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>A player that is recorded twice</title></head>
  <body>
    <video muted></video>
    <script src="dash.js"></script>
    <script src="telemetry.js"></script>
    <script src="element.js"></script>
    <script src="page.js" type="module"></script>
  </body>
</html>
`;
const SCRIPT = `
const video = document.querySelector('video');
const player = dashjs.MediaPlayer().create();
player.updateSettings({ streaming: { buffer: { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 } } });
const ofPlayer = await pitwallTelemetry.attachTelemetry(player, video);
const ofElement = await pitwallElement.recordElement(video, { environment: { player: 'dash.js 5.2.1' } });
globalThis.player = player;
globalThis.bothLogs = async () => {
  player.pause();
  const isLoading = () => ofPlayer.openEvents().some(({ kind }) => kind === 'request');
  for (let calmMs = 0; calmMs < 1500; calmMs = isLoading() ? 0 : calmMs + 100)
    await new Promise((resolve) => setTimeout(resolve, 100));
  await Promise.all([ofPlayer.stop(), ofElement.stop()]);
  const [one, other] = await Promise.all([ofPlayer.exportLog(), ofElement.exportLog()]);
  return { player: JSON.stringify(one), element: JSON.stringify(other) };
};
player.on('streamInitialized', () => video.play());
player.initialize(video, new URLSearchParams(location.search).get('mpd'), false);
`;

let site: string;
test.beforeAll(async () => {
  site = mkdtempSync(path.join(tmpdir(), 'pitwall-element-'));
  const out = path.join(site, 'packages');
  await buildPackages(root, { out, names: ['telemetry'], types: false });
  for (const [script, name] of [
    [TELEMETRY_SCRIPT, 'telemetry.js'],
    [ELEMENT_SCRIPT, 'element.js'],
  ] as const)
    copyFileSync(path.join(out, 'telemetry', script), path.join(site, name));
  copyFileSync(DASHJS, path.join(site, 'dash.js'));
  writeFileSync(path.join(site, 'index.html'), PAGE);
  writeFileSync(path.join(site, 'page.js'), SCRIPT);
});
test.afterAll(() => rmSync(site, { recursive: true, force: true }));

interface Logs {
  readonly player: SessionLog;
  readonly element: SessionLog;
}

/** Plays the demo, or another stream of the origin, and returns the two logs of it. */
async function play(act: (page: Page) => Promise<unknown>, mpdPath?: string): Promise<Logs> {
  let logs: Logs | null = null;
  await withPage(site, async (page, address) => {
    const demo = address({});
    await page.goto(
      mpdPath
        ? demo.replace(encodeURIComponent('/media/demo/manifest.mpd'), encodeURIComponent(mpdPath))
        : demo,
    );
    await act(page);
    const { player, element } = await page.evaluate(() => window.bothLogs());
    logs = { player: checked(player), element: checked(element) };
  });
  return logs!;
}

/** Returns a log that every reader takes: no null without a reason. */
function checked(text: string): SessionLog {
  const read = readSession(text);
  if (!read.ok) throw new Error(`a recorder wrote a log that is not valid: ${read.error}`);
  return read.value;
}

const STREAM = ['manifest', 'init', 'index', 'media'] as const;
const okIn = (log: SessionLog): RequestEvent[] =>
  requestsIn(log, STREAM)
    .filter(({ outcome }) => outcome === 'ok')
    .sort((one, other) => one.url.localeCompare(other.url) || one.startMs! - other.startMs!);

const unixMs = ({ clock }: SessionLog, atMs: number): number => clock.startedAtUnixMs + atMs;

/** Expects the same requests in both logs, with the same protocol, bytes and last byte. */
function expectSameRequests({ player, element }: Logs): void {
  const [asked, seen] = [okIn(player), okIn(element)];
  expect(
    seen.map(({ url }) => url),
    formatRequests(seen),
  ).toEqual(asked.map(({ url }) => url));
  expect(asked.length).toBeGreaterThan(6);
  seen.forEach((request, index) => {
    const { protocol, encodedBodyBytes, lastByteMs, startMs, connectionReused } = asked[index]!;
    expect(request).toMatchObject({ protocol, encodedBodyBytes, connectionReused });
    expect(Math.abs(unixMs(element, request.lastByteMs!) - unixMs(player, lastByteMs!))).toBeLessThan(
      APART_MS,
    );
    expect(Math.abs(unixMs(element, request.startMs!) - unixMs(player, startMs!))).toBeLessThan(APART_MS);
  });
}

const momentOf = (log: SessionLog, state: string): number =>
  unixMs(log, eventsOf(log, 'playback').find((event) => event.state === state)!.atMs);

const joinMs = (log: SessionLog): number => momentOf(log, 'first-frame') - momentOf(log, 'play-requested');

/** Expects the same join time, stalls and seeks. */
function expectSamePlayback({ player, element }: Logs): void {
  expect(Math.abs(joinMs(element) - joinMs(player))).toBeLessThan(APART_MS);
  const [stalls, others] = [eventsOf(player, 'stall'), eventsOf(element, 'stall')];
  expect(others).toHaveLength(stalls.length);
  others.forEach(({ durationMs, atMs, stands }, index) => {
    expect(Math.abs(durationMs! - stalls[index]!.durationMs!)).toBeLessThan(APART_MS);
    expect(Math.abs(unixMs(element, atMs) - unixMs(player, stalls[index]!.atMs))).toBeLessThan(APART_MS);
    expect(stands).toBe(stalls[index]!.stands);
  });
  const [seeks, seen] = [eventsOf(player, 'seek'), eventsOf(element, 'seek')];
  expect(seen.map(({ toMs }) => toMs)).toEqual(seeks.map(({ toMs }) => toMs));
  // Each recorder reads the playhead at its own time.
  seen.forEach(({ fromMs }, index) => expect(Math.abs(fromMs - seeks[index]!.fromMs)).toBeLessThan(APART_MS));
}

test('an element’s log has the requests, the join and the picture of the player’s own', async () => {
  const logs = await play((page) => playedTo(page, 8));
  expectSameRequests(logs);
  expectSamePlayback(logs);
  const { environment } = logs.element;
  expect(environment).toMatchObject({ player: 'dash.js 5.2.1', dashjsVersion: null, screen: 'frames' });
  expect(environment.mpdUrl).toBe(logs.player.environment.mpdUrl);
  expect(eventsOf(logs.element, 'error')).toEqual([]);
  expect(eventsOf(logs.element, 'resize').length).toBeGreaterThan(0);
  expect(Math.max(...eventsOf(logs.element, 'buffer').map(({ levelMs }) => levelMs))).toBeGreaterThan(3000);
  const decoded = eventsOf(logs.element, 'frames').at(-1)!.decoded;
  expect(Math.abs(decoded - eventsOf(logs.player, 'frames').at(-1)!.decoded)).toBeLessThanOrEqual(30);
});

const SLOW_BYTES_PER_S = 2000;
const NO_LIMIT = -1;

/** Returns what limits the page's downloads to so many bytes a second; the limit is that of one session of DevTools. */
async function throttleOf(page: Page): Promise<(downloadThroughput: number) => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  return async (downloadThroughput) => {
    const limits = { offline: false, latency: 0, downloadThroughput, uploadThroughput: -1 };
    await devtools.send('Network.emulateNetworkConditions', limits);
  };
}

test('a stall and a seek of the viewer are in both logs', async () => {
  const logs = await play(async (page) => {
    await playedTo(page, 3);
    const throttle = await throttleOf(page);
    await throttle(SLOW_BYTES_PER_S);
    await page.waitForFunction(() => document.querySelector('video')!.readyState < 3, null, {
      timeout: 60_000,
    });
    await page.waitForTimeout(1500);
    await throttle(NO_LIMIT);
    await playedTo(page, 14);
    await page.mouse.click(5, 5);
    await page.evaluate(() => void (document.querySelector('video')!.currentTime = 40));
    await playedTo(page, 44);
  });
  expect(eventsOf(logs.player, 'stall').length).toBeGreaterThan(0);
  expect(eventsOf(logs.player, 'seek')).toHaveLength(1);
  expectSamePlayback(logs);
  expectSameRequests(logs);
});

test('byte ranges of one file are told apart by their time', async () => {
  const logs = await play((page) => playedTo(page, 5), '/media/test/base/manifest.mpd');
  expectSameRequests(logs);
  expectSamePlayback(logs);
});
