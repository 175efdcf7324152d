import type { Browser } from './browser.ts';
import { chromium } from './chromium/chromium.ts';

/** Every browser of the lab. */
export const browsers: readonly Browser[] = [chromium];

/** The browser that sessions are played in. */
export const labBrowser: Browser = chromium;
