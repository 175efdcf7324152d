import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { LaunchOptions, RunningBrowser } from '../browser.ts';
import { startInProfile } from '../startInProfile.ts';
import { chromiumArguments } from './chromiumArguments.ts';
import { mergeFeatures } from './mergeFeatures.ts';

/** One browser process for one session: Alt-Svc, tickets and connections are cold unless `profileDir` brings them. */
export const launchChromium = (options: LaunchOptions): Promise<RunningBrowser> =>
  startInProfile(options.profileDir, async (profileDir) => {
    const context = await launch(profileDir, options);
    return { context, close: () => context.close() };
  });

async function launch(profileDir: string, options: LaunchOptions): Promise<BrowserContext> {
  // Half a second of start-up, which commands without a browser need not spend.
  const { chromium } = await import('@playwright/test');
  return chromium.launchPersistentContext(profileDir, {
    executablePath: options.executablePath,
    headless: options.headless ?? true,
    args: mergeFeatures(chromium, chromiumArguments(options)),
    // Reports of crashes hold memory of the page. They go with the profile, and not into the user's own folder.
    env: { ...process.env, BREAKPAD_DUMP_LOCATION: path.join(profileDir, 'Crash Reports') },
    viewport: { width: 1280, height: 800 },
    timeout: 60_000,
  });
}
