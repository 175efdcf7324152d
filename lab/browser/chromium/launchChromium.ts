import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import { requireTemporaryFolder } from '../../temporaryFolder.ts';
import type { LaunchOptions, RunningBrowser } from '../browser.ts';
import { chromiumArguments } from './chromiumArguments.ts';

/** One browser process for one session: Alt-Svc, tickets and connections are cold unless `profileDir` brings them. */
export async function launchChromium(options: LaunchOptions): Promise<RunningBrowser> {
  requireTemporaryFolder('');
  const profileDir = options.profileDir ?? (await mkdtemp(path.join(tmpdir(), 'pitwall-profile-')));
  const forget = async (): Promise<void> => {
    if (!options.profileDir) await rm(profileDir, { recursive: true, force: true, maxRetries: 5 });
  };
  try {
    const context = await launch(profileDir, options);
    return { context, profileDir, close: () => context.close().finally(forget) };
  } catch (error) {
    await forget();
    throw error;
  }
}

async function launch(profileDir: string, options: LaunchOptions): Promise<BrowserContext> {
  // Half a second of start-up, which commands without a browser need not spend.
  const { chromium } = await import('@playwright/test');
  return chromium.launchPersistentContext(profileDir, {
    executablePath: options.executablePath,
    headless: options.headless ?? true,
    args: chromiumArguments(options),
    viewport: { width: 1280, height: 800 },
    timeout: 60_000,
  });
}
