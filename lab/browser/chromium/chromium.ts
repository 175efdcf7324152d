import type { Browser } from '../browser.ts';
import { launchChromium } from './launchChromium.ts';
import { modes } from './modes.ts';
import { readNetLogFile } from './readNetLogFile.ts';
import { warmUp } from './warmUp.ts';
import { watchDevTools } from './watchDevTools.ts';

/** Chromium 156 and later, by Playwright: races from its NetLog, requests from DevTools. */
export const chromium: Browser = {
  id: 'chromium',
  label: 'Chromium',
  modes,
  launch: launchChromium,
  warmUp,
  watchRequests: watchDevTools,
  readRaces: readNetLogFile,
};
