import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import { killRenderer } from '../fixtures/processes.ts';
import { expect, test } from '../fixtures/test.ts';

test('a killed renderer loses at most the last second', async ({ open, origin }) => {
  const profileDir = await mkdtemp(path.join(tmpdir(), 'pitwall-crash-'));
  try {
    const first = await open({ mpd: '/media/demo/manifest.mpd', profileDir });
    await first.playing();
    await first.page.waitForTimeout(30_000);
    const before = await first.state();
    await killRenderer(first);
    await first.close();

    const second = await open({ mpd: '/media/demo/manifest.mpd', autoplay: false, profileDir, origin });
    const offer = second.page.getByRole('region', { name: /cut off/i });
    await expect(offer).toBeVisible();
    const download = second.page.waitForEvent('download');
    await offer.getByRole('button', { name: /export/i }).click();
    const text = (await (await download).createReadStream()).setEncoding('utf8');
    let json = '';
    for await (const chunk of text) json += String(chunk);
    const log = readSession(json);
    if (!log.ok) throw new Error(log.error);
    const lastMs = Math.max(...log.value.events.map(({ atMs }) => atMs));
    // `state()` was read a moment before the kill.
    expect(before.sessionMs - lastMs).toBeLessThanOrEqual(1200);
    expect(log.value.events.filter(({ kind }) => kind === 'request').length).toBeGreaterThan(8);
    await second.close();
  } finally {
    await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  }
});

test('a second tab does not rescue a session that is being recorded', async ({ open }) => {
  const first = await open({ mpd: '/media/demo/manifest.mpd' });
  await first.playing();
  const tab = await first.chromium.context.newPage();
  await tab.goto(first.page.url().replace('autoplay=1', 'autoplay=0'));
  await tab.waitForFunction(() => 'pitwall' in window);
  await tab.waitForTimeout(1500);
  await expect(tab.getByRole('region', { name: /cut off/i })).toHaveCount(0);
});

test('resuming goes on as a new part of the same session', async ({ open }) => {
  const session = await open({ mpd: '/media/demo/manifest.mpd' });
  await session.playing();
  await session.page.waitForTimeout(5000);
  const id = (await session.log()).id;
  await session.page.goto(session.page.url().replace('autoplay=1', 'autoplay=0'));
  await session.page
    .getByRole('region', { name: /cut off/i })
    .getByRole('button', { name: /resume/i })
    .click();
  await session.playing();
  await session.page.waitForTimeout(2000);
  const log = await session.stop();
  expect(log.id).toBe(id);
  expect(log.parts).toHaveLength(2);
  expect(log.parts[1]!.gapMs).toBeGreaterThan(0);
  const states = log.events.filter((each) => each.kind === 'playback');
  expect(states.some(({ atMs }) => atMs > log.parts[1]!.startMs)).toBe(true);
});
