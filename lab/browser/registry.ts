import type { Browser } from './browser.ts';
import { chromium } from './chromium/chromium.ts';
import { firefox } from './firefox/firefox.ts';
import { pick } from '../../src/shared/registry.ts';

/** Every browser of the lab. */
export const browsers: readonly Browser[] = [chromium, firefox];

/** The browser of sessions that name none. */
export const labBrowser: Browser = chromium;

/** The browser of a session; absent: `labBrowser`. @throws Error when there is none of this id */
export const browserOf = (id: string = labBrowser.id): Browser => pick(browsers, id);
