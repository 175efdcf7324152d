import type { Browser } from '../browser.ts';
import { racingFlags, readHappyEyeballs } from './happyEyeballs.ts';
import { launchFirefox } from './launchFirefox.ts';
import { modes } from './modes.ts';

/**
 * Firefox 153 and later, by Playwright over WebDriver BiDi. It reports no races: docs/browsers.md says why, and what else its
 * sessions lack. The driver receives no events of requests (`adaptPlaywright.ts`).
 */
export const firefox: Browser = {
  id: 'firefox',
  label: 'Firefox',
  tool: 'firefox',
  modes,
  launch: launchFirefox,
  warmUp: null,
  disableNetworkEvents: null,
  watchRequests: null,
  readRaces: null,
  racingFlags,
  readHappyEyeballs,
};
