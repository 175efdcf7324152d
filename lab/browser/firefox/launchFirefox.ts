import { readlink } from 'node:fs/promises';
import path from 'node:path';
import type { BrowserContext } from '@playwright/test';
import type { LaunchOptions, RunningBrowser } from '../browser.ts';
import { startInProfile } from '../startInProfile.ts';
import { adaptPlaywright } from './adaptPlaywright.ts';
import { argumentsIn, firefoxPreferences } from './preferences.ts';
import { openRelay } from './relay.ts';
import { startWatchdog, type Watchdog } from '../../caddy/watchdog.ts';

/** What Playwright has first on the command line: the browser finds a free port. */
const ANY_PORT = '--remote-debugging-port=0';

/** Without it a released Firefox asks its maker for settings, whatever `services.settings.server` says. */
const FOLLOWS_PREFERENCE = { MOZ_REMOTE_SETTINGS_DEVTOOLS: '1' };

/**
 * One browser process for one session: Alt-Svc, tickets and connections are cold unless `profileDir` brings them. Playwright
 * talks to it over a socket of loopback: in a namespace, through a relay.
 */
export const launchFirefox = (options: LaunchOptions): Promise<RunningBrowser> =>
  startInProfile(options.profileDir, async (profileDir) => {
    const relay = options.enter ? await openRelay(options.enter) : null;
    try {
      const context = await launch(profileDir, options, relay?.port ?? null);
      const watchdog = await watchFirefox(profileDir);
      const release = (): void => {
        watchdog.release();
        relay?.close();
      };
      return { context, close: () => context.close().finally(release) };
    } catch (error) {
      relay?.close();
      throw error;
    }
  });

async function launch(
  profileDir: string,
  options: LaunchOptions,
  port: number | null,
): Promise<BrowserContext> {
  // Half a second of start-up, which commands without a browser need not spend.
  const { firefox } = await import('@playwright/test');
  adaptPlaywright(firefox);
  return firefox.launchPersistentContext(profileDir, {
    // Over WebDriver BiDi; the program is ours.
    channel: 'moz-firefox',
    executablePath: options.executablePath,
    headless: options.headless ?? true,
    env: { ...process.env, ...FOLLOWS_PREFERENCE },
    firefoxUserPrefs: { ...firefoxPreferences(options) },
    args: [...argumentsIn(options.flags), ...(port === null ? [] : [`--remote-debugging-port=${port}`])],
    ...(port !== null && { ignoreDefaultArgs: [ANY_PORT] }),
    // There is no acceptance of one key.
    ignoreHTTPSErrors: options.spkiSha256Base64 !== null,
    viewport: { width: 1280, height: 800 },
    timeout: 60_000,
  });
}

/** A socket, unlike Chromium's pipe, leaves the browser running when we are ended by `kill -9`. */
async function watchFirefox(profileDir: string): Promise<Watchdog> {
  // A link to `ADDRESS:+PID` (toolkit/profile/nsProfileLock.cpp).
  const lock = path.join(profileDir, 'lock');
  const target = await readlink(lock).catch(() => '');
  const pid = /:\+?(\d+)$/.exec(target)?.[1];
  const watchdog = startWatchdog(lock, { isGroup: true });
  watchdog.watch(pid === undefined ? null : Number(pid));
  return watchdog;
}
