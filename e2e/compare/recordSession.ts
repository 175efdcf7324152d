import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { launchChromium, type RunningChromium } from '../../lab/browser/launchChromium.ts';
import { modes } from '../../lab/browser/mode.ts';
import { pick } from '../../src/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type {} from '../../src/ui/automation.ts';
import { openPlace } from './openPlace.ts';
import type { Place } from './place.ts';
import { isOwn, JOIN_LIMIT_MS, type CompareCell, type ComparePlan } from './plan.ts';
import { during, SessionFailure } from './sessionFailure.ts';

/** A constant lead-in means this: the same moment of the network for every arm. */
const ON_TIME_MS = 100;

/**
 * Plays one cell in a browser of its own and writes its session log. A stream that fails to play still leaves a log:
 * that is an outcome. @throws SessionFailure when there is no log
 */
export async function recordSession(plan: ComparePlan, cell: CompareCell): Promise<string> {
  await mkdir(plan.logDir, { recursive: true });
  const place = await openPlace(plan, cell);
  try {
    const browser = await during('browser-did-not-start', launch(place, cell));
    try {
      const playing = during('browser-ended', play(browser.context, { plan, cell, place }));
      const log = await unlessBroken(place, playing);
      return await during('log-not-written', writeLog(plan.logDir, cell, log));
    } finally {
      await browser.close();
    }
  } finally {
    await place.leave();
  }
}

function launch({ browser, mpdUrl }: Place, cell: CompareCell): Promise<RunningChromium> {
  const mpd = new URL(mpdUrl);
  return launchChromium({
    ...browser,
    flags: pick(modes, cell.transport).flags({
      host: mpd.hostname,
      port: Number(mpd.port || 443),
      ownCertificate: isOwn(cell),
    }),
  });
}

async function unlessBroken<Value>({ brokeDown }: Place, playing: Promise<Value>): Promise<Value> {
  playing.catch(() => {});
  return Promise.race([
    playing,
    brokeDown.then((sentence) => {
      throw new SessionFailure('link-ended', sentence);
    }),
  ]);
}

interface Playing {
  readonly plan: ComparePlan;
  readonly cell: CompareCell;
  readonly place: Place;
}

async function play(context: BrowserContext, { plan, cell, place }: Playing): Promise<SessionLog> {
  const page = context.pages()[0] ?? (await context.newPage());
  // Idle: dash.js has been loaded too, and nothing is left to wait for once play is due.
  await during('page-did-not-load', page.goto(place.appUrl, { waitUntil: 'networkidle' }));
  const query = new URLSearchParams({
    mpd: place.mpdUrl,
    rule: cell.rule,
    preset: plan.presetId,
    ...(cell.design && { seed: String(cell.design.seed) }),
  });
  const dueAtUnixMs = await place.ready();
  await page.evaluate(openWhenDue, {
    query: String(query),
    atUnixMs: dueAtUnixMs === null ? null : dueAtUnixMs - EARLY_MS,
  });
  await startedOrFailed(page);
  if (dueAtUnixMs !== null) mustHaveBeenOnTime(await logOf(page), dueAtUnixMs);
  await page.waitForTimeout(plan.seconds * 1000);
  await page.evaluate(() => window.pitwall!.stop());
  return placed(await logOf(page), {
    cell,
    facts: {
      ...place.facts(),
      transport: cell.transport,
      browser: `Chromium ${context.browser()?.version() ?? ''}`.trim(),
    },
  });
}

/** What a page does between being told and asking for the manifest: 30 to 60 ms on two cores. */
const EARLY_MS = 40;

/** Runs in the page: its own timer is nearer to the moment than a message to it. A stream that fails is an outcome. */
async function openWhenDue({ query, atUnixMs }: { query: string; atUnixMs: number | null }) {
  if (atUnixMs !== null) await new Promise((due) => setTimeout(due, atUnixMs - Date.now()));
  await window.pitwall!.open(query).catch(() => {});
}

async function startedOrFailed(page: Page): Promise<void> {
  await page
    .waitForFunction(() => ['playing', 'failed'].includes(window.pitwall?.state().phase ?? ''), null, {
      timeout: JOIN_LIMIT_MS,
    })
    .catch(async (error: Error) => {
      // A page without our code is a fault of the laboratory; a stream that does not start is an outcome.
      if (!(await page.evaluate(() => 'pitwall' in window)))
        throw new SessionFailure('page-did-not-load', error);
    });
}

async function logOf(page: Page): Promise<SessionLog> {
  const log = readSession(await page.evaluate(() => window.pitwall!.session()));
  if (!log.ok) throw new SessionFailure('log-not-valid', log.error);
  return log.value;
}

/** @throws SessionFailure when play was asked for at another moment than the plan says */
function mustHaveBeenOnTime({ clock, events }: SessionLog, dueAtUnixMs: number): void {
  const asked = events.find((event) => event.kind === 'playback' && event.state === 'play-requested');
  if (!asked) throw new SessionFailure('play-not-on-time', 'the log has no request to play');
  const lateMs = clock.startedAtUnixMs + asked.atMs - dueAtUnixMs;
  if (Math.abs(lateMs) > ON_TIME_MS)
    throw new SessionFailure(
      'play-not-on-time',
      `play was asked for ${Math.round(lateMs)} ms after it was due`,
    );
}

interface Whereabouts {
  readonly cell: CompareCell;
  readonly facts: Partial<SessionLog['environment']>;
}

/** The page cannot know how its browser was started, nor its place in a campaign; whoever started it writes both down. */
function placed(log: SessionLog, { cell, facts }: Whereabouts): SessionLog {
  const missing = Object.fromEntries(
    Object.entries(log.environment.missing).filter(([field]) => !(field in facts)),
  );
  const environment = { ...log.environment, ...facts, missing };
  return cell.design === null
    ? { ...log, environment }
    : { ...log, id: cell.id, environment, design: cell.design };
}

/** Written beside and moved into place: a killed run leaves whole files only. */
async function writeLog(logDir: string, cell: CompareCell, log: SessionLog): Promise<string> {
  const file = path.join(logDir, `${cell.id}.json`);
  await writeFile(`${file}.part`, JSON.stringify(log));
  await rename(`${file}.part`, file);
  return file;
}
