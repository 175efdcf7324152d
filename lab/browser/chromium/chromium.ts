import type { Browser } from '../browser.ts';
import { disableNetworkEvents } from './disableNetworkEvents.ts';
import { launchChromium } from './launchChromium.ts';
import { modes } from './modes.ts';
import { readNetLogFile } from './readNetLogFile.ts';
import { warmUp } from './warmUp.ts';
import { watchDevTools } from './watchDevTools.ts';

/** Chromium 156 and later, by Playwright: races from its NetLog, requests from DevTools. */
export const chromium: Browser = {
  id: 'chromium',
  label: 'Chromium',
  tool: 'chromium',
  modes,
  launch: launchChromium,
  warmUp,
  disableNetworkEvents,
  watchRequests: watchDevTools,
  readRaces: readNetLogFile,
  // Off in Chromium 156.
  racingFlags: (isHappyEyeballs) => (isHappyEyeballs ? ['--enable-features=HappyEyeballsV3'] : []),
  readHappyEyeballs: null,
};
