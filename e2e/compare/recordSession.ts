import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { launchChromium, type RunningChromium } from '../../lab/browser/launchChromium.ts';
import { modes } from '../../lab/browser/mode.ts';
import { pick } from '../../src/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type {} from '../../src/ui/automation.ts';
import type { CompareCell, ComparePlan } from './plan.ts';
import { during, SessionFailure } from './sessionFailure.ts';

/** How long a stream may take to show its first frame before the session counts as one that never started. */
const JOIN_LIMIT_MS = 60_000;

/**
 * Plays one cell in a browser of its own and writes its session log. A stream that fails to play still leaves a log:
 * that is an outcome. @throws SessionFailure when there is no log
 */
export async function recordSession(plan: ComparePlan, cell: CompareCell): Promise<string> {
  const browser = await during('browser-did-not-start', launch(plan, cell));
  try {
    const log = await during('browser-ended', play(browser.context, { plan, cell }));
    return await during('log-not-written', writeLog(plan.logDir, cell, log));
  } finally {
    await browser.close();
  }
}

function launch({ chromiumPath, ownOrigin }: ComparePlan, cell: CompareCell): Promise<RunningChromium> {
  const mpd = new URL(cell.mpdUrl);
  return launchChromium({
    executablePath: chromiumPath,
    spkiSha256Base64: cell.isOwn ? ownOrigin.spkiSha256Base64 : null,
    hostRules: cell.isOwn ? ownOrigin.hostRules : null,
    flags: pick(modes, cell.transport).flags({
      host: mpd.hostname,
      port: Number(mpd.port || 443),
      ownCertificate: cell.isOwn,
    }),
  });
}

async function play(context: BrowserContext, { plan, cell }: { plan: ComparePlan; cell: CompareCell }) {
  const page = context.pages()[0] ?? (await context.newPage());
  const query = new URLSearchParams({
    mpd: cell.mpdUrl,
    rule: cell.rule,
    preset: plan.presetId,
    autoplay: '1',
    ...(cell.design && { seed: String(cell.design.seed) }),
  });
  await during('page-did-not-load', page.goto(`${plan.appUrl}?${query}`));
  await startedOrFailed(page);
  await page.waitForTimeout(plan.seconds * 1000);
  await page.evaluate(() => window.pitwall!.stop());
  const log = readSession(await page.evaluate(() => window.pitwall!.session()));
  if (!log.ok) throw new SessionFailure('log-not-valid', log.error);
  return placed(log.value, { cell, browser: `Chromium ${context.browser()?.version() ?? ''}`.trim() });
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

/** The page cannot know how its browser was started, nor its place in a campaign; whoever started it writes both down. */
function placed(log: SessionLog, { cell, browser }: { cell: CompareCell; browser: string }): SessionLog {
  const missing = Object.fromEntries(
    Object.entries(log.environment.missing).filter(([field]) => field !== 'transport' && field !== 'browser'),
  );
  const environment = { ...log.environment, transport: cell.transport, browser, missing };
  return cell.design === null
    ? { ...log, environment }
    : { ...log, id: cell.id, environment, design: cell.design };
}

/** Written beside and moved into place: a killed run leaves whole files only. */
async function writeLog(logDir: string, cell: CompareCell, log: SessionLog): Promise<string> {
  await mkdir(logDir, { recursive: true });
  const file = path.join(logDir, `${cell.id}.json`);
  await writeFile(`${file}.part`, JSON.stringify(log));
  await rename(`${file}.part`, file);
  return file;
}
