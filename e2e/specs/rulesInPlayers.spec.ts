import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Page } from '@playwright/test';
import { demoMounts } from '../../lab/content/contentMounts.ts';
import { buildPackages, ELEMENT_SCRIPT } from '../../packages/build.mjs';
import { abrRules } from '../../src/abr/registry.ts';
import { ruleOf } from '../../src/abr/ruleText.ts';
import { valueOf } from '../../src/shared/result.ts';
import { replay } from '../../src/sim/replay/replay.ts';
import type { DecisionEvent } from '../../src/telemetry/event.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { withPage } from '../fixtures/foreignPage.ts';
import { answersOf, eventsOf } from '../fixtures/logEvents.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { expect, test } from '../fixtures/test.ts';

const root = path.dirname(path.dirname(import.meta.dirname));
const packaged = (...names: string[]): string => path.join(root, 'node_modules', ...names);

/** Each player has a mount of its own, so that the origin's log says who requested what. */
const PLAYERS = ['hls', 'shaka-dash', 'shaka-hls'] as const;
/** Media that a player requests before it asks its controller: Shaka looks into segments of an HLS stream for their captions. */
const OF_PARSER: Readonly<Record<PlayerName, number>> = { hls: 0, 'shaka-dash': 0, 'shaka-hls': 3 };
/**
 * How many segments behind the decision's a request may be. hls.js 1.7.4 requests the last segment of its buffer once more where it
 * has just loaded the playlist of a level: it then looks for the end of the buffer without a tolerance (getFragmentAtPosition).
 */
const AGAIN: Readonly<Record<PlayerName, number>> = { hls: 1, 'shaka-dash': 0, 'shaka-hls': 0 };
type PlayerName = (typeof PLAYERS)[number];

declare global {
  interface Window {
    /** Plays with a player and a rule until the playhead is at `toS`, and returns the log of the session. */
    playBy(player: string, setup: { rule: string; origin: string; toS: number }): Promise<string>;
  }
}

const PAGE = `<!doctype html>
<html lang="en">
  <head><meta charset="utf-8" /><title>Rules in other players</title></head>
  <body>
    <script src="hls.js"></script>
    <script src="shaka.js"></script>
    <script src="element.js"></script>
    <script src="page.js" type="module"></script>
  </body>
</html>
`;
const SCRIPT = `
import { useRule as useRuleInHls } from './packages/abr/dist/packages/abr/hlsjs.js';
import { useRule as useRuleInShaka } from './packages/abr/dist/packages/abr/shaka.js';

async function playHls(video, { rule, telemetry, url }) {
  const { config } = useRuleInHls(rule, { telemetry });
  // The page's policy has no worker of a blob. A small buffer: limits and holds are met soon.
  const hls = new Hls({ ...config, enableWorker: false, maxBufferLength: 12, maxMaxBufferLength: 12 });
  hls.attachMedia(video);
  hls.loadSource(url);
  return () => hls.destroy();
}

async function playShaka(video, { rule, telemetry, url }) {
  const player = new shaka.Player();
  await player.attach(video);
  player.configure({ streaming: { bufferingGoal: 12 } });
  const used = useRuleInShaka(player, rule, { telemetry });
  await player.load(url);
  return async () => { used.stop(); await player.destroy(); };
}

globalThis.playBy = async (name, { rule, origin, toS }) => {
  const video = document.createElement('video');
  video.muted = true;
  document.body.append(video);
  const telemetry = await pitwallElement.recordElement(video, { environment: { player: name } });
  const url = origin + '/' + name + (name === 'shaka-dash' ? '/manifest.mpd' : '/manifest.m3u8');
  const stop = await (name === 'hls' ? playHls : playShaka)(video, { rule, telemetry, url });
  video.playbackRate = 2;
  await video.play();
  while (video.currentTime < toS) await new Promise((resolve) => setTimeout(resolve, 50));
  await stop();
  await telemetry.stop();
  video.remove();
  return JSON.stringify(await telemetry.exportLog());
};
`;

let site: string;
test.beforeAll(async () => {
  site = mkdtempSync(path.join(tmpdir(), 'pitwall-players-'));
  const out = path.join(site, 'packages');
  await buildPackages(root, { out, names: ['telemetry', 'abr'], types: false });
  copyFileSync(path.join(out, 'telemetry', ELEMENT_SCRIPT), path.join(site, 'element.js'));
  copyFileSync(packaged('hls.js', 'dist', 'hls.min.js'), path.join(site, 'hls.js'));
  copyFileSync(packaged('shaka-player', 'dist', 'shaka-player.compiled.js'), path.join(site, 'shaka.js'));
  writeFileSync(path.join(site, 'index.html'), PAGE);
  writeFileSync(path.join(site, 'page.js'), SCRIPT);
});
test.afterAll(() => rmSync(site, { recursive: true, force: true }));

/** festive holds requests back. */
const SAMPLE = ['bba-2', 'throughput', 'mpc-robust', 'festive'];
const RULES =
  process.env['PITWALL_FULL'] === '1'
    ? abrRules.filter(({ withWeights }) => !withWeights).map(({ id }) => id)
    : SAMPLE;
/** Chromium lets the playhead run on for 3 s with the sound alone: four segments of 4 s are needed to come here. */
const TO_S = 18;
/** Slower than the top level of each player, so that rules have something to decide about. */
const BYTES_PER_S = 1_500_000;

async function limitRate(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const limits = { offline: false, latency: 20, downloadThroughput: BYTES_PER_S, uploadThroughput: -1 };
  await devtools.send('Network.emulateNetworkConditions', limits);
}

function checked(text: string): SessionLog {
  const read = readSession(text);
  if (!read.ok) throw new Error(`a recorder wrote a log that is not valid: ${read.error}`);
  return read.value;
}

const ofRequests = (log: SessionLog): DecisionEvent[] =>
  eventsOf(log, 'decision').filter(({ missing }) => missing['requestId'] === 'not-reported');

/** The segment and the level, from 0, that the path of a video request names. */
function parsed(uri: string): { segment: number; rung: number } {
  const [, level, segment] = SEGMENT.exec(uri)!;
  return { segment: Number(segment) - 1, rung: Number(level) - 1 };
}
const SEGMENT = /\/video-(\d+)\/(\d+)\.m4s/;

test('rules decide in hls.js and in Shaka as their replay does, and what they choose is requested', async () => {
  const folder = Object.values(demoMounts())[0]!;
  const mounts = Object.fromEntries(PLAYERS.map((name) => [`/${name}`, folder]));
  await withPage(
    site,
    async (page, address, origin) => {
      await limitRate(page);
      const answered: Record<string, number> = {};
      for (const id of RULES) {
        await page.goto(address({}));
        const setup = { rule: id, origin: origin.httpsUrl, toS: TO_S };
        const texts = await page.evaluate(
          ([names, given]) => Promise.all(names.map((name) => window.playBy(name, given))),
          [PLAYERS, setup] as const,
        );
        for (const [index, name] of PLAYERS.entries()) {
          const log = checked(texts[index]!);
          await test.step(`${id} in ${name}`, () => {
            const all = answersOf(origin, `/${name}/`).flatMap(({ uri }) => (SEGMENT.test(uri) ? [uri] : []));
            expectDecided(log, { id, name, uris: all.slice(answered[name] ?? 0) });
            answered[name] = all.length;
          });
        }
      }
    },
    mounts,
  );
});

/** Expects that the rule decided about each video request, that a replay gives all its decisions, and that nothing failed. */
function expectDecided(
  log: SessionLog,
  { id, name, uris }: { id: string; name: PlayerName; uris: readonly string[] },
): void {
  const rule = valueOf(ruleOf(id, abrRules));
  expect(eventsOf(log, 'error')).toEqual([]);
  expect(eventsOf(log, 'rule').map((event) => event.rule)).toEqual([id]);
  const all = ofRequests(log);
  // The end may cut the last request off before the origin has it.
  const isCut = uris.length < all.length && log.parts.at(-1)!.endMs! - all.at(-1)!.atMs < CUT_MS;
  const decided = isCut ? all.slice(0, -1) : all;
  expect(decided.map((decision) => decision.rule)).toEqual(decided.map(() => id));
  const sent = uris.slice(-decided.length).map(parsed);
  expect(decided.map(({ rung }) => rung)).toEqual(sent.map(({ rung }) => rung));
  for (const [index, { segment }] of decided.entries())
    expect(segment! - sent[index]!.segment).toBeLessThanOrEqual(index === 0 ? 0 : AGAIN[name]);
  expect(uris.length - decided.length).toBeLessThanOrEqual(OF_PARSER[name]);
  expect(decided.length).toBeGreaterThan(3);
  if (id === 'festive') expectHeld(log);
  const { decisions, differences } = replayDifferences(log, rule);
  expect(differences).toEqual([]);
  expect(decisions).toBe(eventsOf(log, 'decision').length);
  expect(replay(log, rule).identical).toBe(decisions);
}

/** What a request takes to reach the origin on a busy machine, ms. */
const CUT_MS = 500;

/** How much sooner than at the level of a hold a rule may be asked again: Shaka must not look before it was. */
const SOONER_MS = 150;

/** Expects holds, and after each no request before the buffer has fallen to its level. */
function expectHeld(log: SessionLog): void {
  const decisions = eventsOf(log, 'decision');
  const held = decisions.flatMap((decision, index) => {
    const next = decisions[index + 1];
    const { holdUntilBufferMs, missing } = decision;
    return next && holdUntilBufferMs !== null && missing['requestId'] === 'not-applicable'
      ? [next.moment.bufferMs - holdUntilBufferMs]
      : [];
  });
  expect(held.length).toBeGreaterThan(0);
  expect(Math.max(...held)).toBeLessThan(SOONER_MS);
}
