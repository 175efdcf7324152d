import { mkdir, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { launchChromium } from '../../lab/browser/launchChromium.ts';
import { modes } from '../../lab/browser/mode.ts';
import { pick } from '../../src/registry.ts';
import { readSession } from '../../src/telemetry/schema/readSession.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import type {} from '../../src/ui/automation.ts';
import type { CompareCell, ComparePlan } from './plan.ts';

/** How long a stream may take to show its first frame before the session counts as one that never started. */
const JOIN_LIMIT_MS = 60_000;

/**
 * Plays one cell in a browser of its own and writes its session log. A stream that fails to play still leaves a log:
 * that is an outcome. Only a page that does not load or a log that is not valid throws.
 */
export async function recordSession(plan: ComparePlan, cell: CompareCell): Promise<string> {
  const mpd = new URL(cell.mpdUrl);
  const mode = pick(modes, cell.transport);
  const browser = await launchChromium({
    executablePath: plan.chromiumPath,
    spkiSha256Base64: plan.spkiSha256Base64,
    hostRules: plan.hostRules,
    flags: mode.flags({
      host: mpd.hostname,
      port: Number(mpd.port || 443),
      ownCertificate: plan.spkiSha256Base64 !== null,
    }),
  });
  try {
    const log = await play(browser.context, { plan, cell });
    return await writeLog(plan.outDir, cell, log);
  } finally {
    await browser.close();
  }
}

async function play(context: BrowserContext, { plan, cell }: { plan: ComparePlan; cell: CompareCell }) {
  const page = context.pages()[0] ?? (await context.newPage());
  const query = new URLSearchParams({
    mpd: cell.mpdUrl,
    rule: cell.rule,
    preset: plan.presetId,
    autoplay: '1',
  });
  await page.goto(`${plan.appUrl}?${query}`);
  await startedOrFailed(page);
  await page.waitForTimeout(plan.seconds * 1000);
  await page.evaluate(() => window.pitwall!.stop());
  const log = readSession(await page.evaluate(() => window.pitwall!.session()));
  if (!log.ok) throw new Error(`the page wrote a log that is not valid: ${log.error}`);
  return withTransport(log.value, { cell, browser: `Chromium ${context.browser()?.version() ?? ''}`.trim() });
}

async function startedOrFailed(page: Page): Promise<void> {
  await page
    .waitForFunction(() => ['playing', 'failed'].includes(window.pitwall?.state().phase ?? ''), null, {
      timeout: JOIN_LIMIT_MS,
    })
    .catch(async (error: Error) => {
      // A page without our code is a fault of the laboratory; a stream that does not start is an outcome.
      if (!(await page.evaluate(() => 'pitwall' in window))) throw error;
    });
}

/** The page cannot know how its browser was started; whoever started it writes it down. */
function withTransport(
  log: SessionLog,
  { cell, browser }: { cell: CompareCell; browser: string },
): SessionLog {
  const missing = Object.fromEntries(
    Object.entries(log.environment.missing).filter(([field]) => field !== 'transport' && field !== 'browser'),
  );
  return { ...log, environment: { ...log.environment, transport: cell.transport, browser, missing } };
}

/** Written beside and moved into place: a killed run leaves whole files only. */
async function writeLog(outDir: string, cell: CompareCell, log: SessionLog): Promise<string> {
  await mkdir(outDir, { recursive: true });
  const file = path.join(outDir, `${cell.id}.json`);
  await writeFile(`${file}.part`, JSON.stringify(log));
  await rename(`${file}.part`, file);
  return file;
}
