import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { startLiveStream } from '../../lab/content/liveStream.ts';
import { replay } from '../../src/sim/replay/replay.ts';
import { pick } from '../../src/shared/registry.ts';
import { abrRules } from '../../src/abr/registry.ts';
import { testWeights } from '../../src/abr/testWeights.testing.ts';
import { eventsOf } from '../fixtures/logEvents.ts';
import { replayDifferences } from '../fixtures/replayedRules.ts';
import { startOrigin } from '../fixtures/startOrigin.ts';
import { misbehave } from '../fixtures/misbehave.ts';
import { playRule } from '../fixtures/playRule.ts';
import { expect, test } from '../fixtures/test.ts';

/** `rules.spec.ts` holds every rule to its replay in a plain session; these sessions are not plain. */
const DEMO = '/media/demo/manifest.mpd';

test('rules switched during play, with seeks and a pause, are replayed to the same decisions', async ({
  open,
}) => {
  const session = await open({ mpd: DEMO, rule: 'dashjs-bola', rateKbps: 4000 });
  await session.playing();
  const { page } = session;
  await page.waitForTimeout(3000);
  await page.evaluate(() => window.pitwall!.useRule('throughput'));
  await page.waitForTimeout(2500);
  await page.evaluate(() => window.pitwall!.seek(30_000));
  await page.waitForTimeout(2500);
  await page.evaluate(() => window.pitwall!.useRule('bba-1'));
  await page.evaluate(() => window.pitwall!.pause());
  await page.waitForTimeout(1500);
  await page.evaluate(() => window.pitwall!.seek(2000));
  await page.evaluate(() => window.pitwall!.play());
  await page.waitForTimeout(2500);
  // Back to a rule that was in charge before: it begins anew, with what happened lately.
  await page.evaluate(() => window.pitwall!.useRule('throughput'));
  await page.waitForTimeout(3000);
  const log = await session.stop();
  expect(eventsOf(log, 'rule').map(({ rule }) => rule)).toEqual([
    'dashjs-bola',
    'throughput',
    'bba-1',
    'throughput',
  ]);
  for (const rule of ['throughput', 'bba-1']) {
    const { decisions, differences } = replayDifferences(log, pick(abrRules, rule));
    expect(decisions, rule).toBeGreaterThan(2);
    expect(differences, rule).toEqual([]);
  }
  // What dash.js' own rule decided is replayed too, with the inputs that one of ours would have received.
  const { decisions, derived } = replay(log, pick(abrRules, 'throughput'));
  expect(decisions).toHaveLength(eventsOf(log, 'decision').length);
  expect(decisions.filter(({ fault }) => fault !== null)).toEqual([]);
  expect(derived).toBe(eventsOf(log, 'decision').filter(({ inputId }) => inputId === undefined).length);
});

test('a session that was resumed after a reload is replayed to the same decisions', async ({ open }) => {
  const session = await open({ mpd: DEMO, rule: 'throughput' });
  await session.playing();
  await session.page.waitForTimeout(4000);
  await session.page.goto(session.page.url().replace('autoplay=1', 'autoplay=0'));
  await session.page
    .getByRole('region', { name: /cut off/i })
    .getByRole('button', { name: /resume/i })
    .click();
  await session.playing();
  await session.page.waitForTimeout(3000);
  const log = await session.stop();
  expect(log.parts).toHaveLength(2);
  const resumedMs = log.parts[1]!.startMs;
  const after = eventsOf(log, 'decision').filter(({ atMs }) => atMs > resumedMs);
  expect(after.length).toBeGreaterThan(2);
  const { decisions, differences } = replayDifferences(log, pick(abrRules, 'throughput'));
  expect(decisions).toBeGreaterThan(after.length + 2);
  expect(differences).toEqual([]);
});

test('a live session is replayed to the same decisions, also by the command line', async ({ open }) => {
  const stream = await startLiveStream({ isLowLatency: false });
  const origin = await startOrigin({ mounts: { '/media/live': { proxyUrl: stream.proxyUrl } } });
  const folder = await mkdtemp(path.join(tmpdir(), 'pitwall-replayed-'));
  try {
    const session = await open({ mpd: '/media/live/manifest.mpd', origin, rule: 'throughput' });
    await session.playing();
    await session.page.waitForTimeout(10_000);
    const log = await session.stop();
    await session.close();
    const { decisions, differences } = replayDifferences(log, pick(abrRules, 'throughput'));
    expect(decisions).toBeGreaterThan(5);
    expect(differences).toEqual([]);
    const file = path.join(folder, 'live.json');
    await writeFile(file, JSON.stringify(log));
    const program = path.join(import.meta.dirname, '..', '..', 'bin', 'pitwall');
    const { stdout } = await promisify(execFile)(process.execPath, [
      program,
      'replay',
      file,
      '--rule=throughput',
      '--expect-same',
    ]);
    expect(stdout).toContain(`${decisions} of ${decisions} decisions identical`);
  } finally {
    await origin.stop();
    await stream.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('a net with its weights is replayed to the same decisions', async ({ open }) => {
  const weights = JSON.stringify(testWeights());
  const server = await misbehave((_, response) =>
    response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end(weights),
  );
  try {
    const browser = await open({ mpd: DEMO, autoplay: false });
    const tab = { query: { weights: `${server.url}/weights.json` } };
    const log = await playRule(browser, { rule: 'pensieve', seconds: 6, tab });
    const net = await pick(abrRules, 'pensieve').withWeights!(weights);
    if (!net.ok) throw new Error(net.error);
    const { decisions, differences } = replayDifferences(log, net.value);
    expect(decisions).toBe(eventsOf(log, 'decision').length);
    expect(decisions).toBeGreaterThan(6);
    expect(differences).toEqual([]);
  } finally {
    await server.close();
  }
});
