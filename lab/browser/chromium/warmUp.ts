import { setTimeout as pause } from 'node:timers/promises';
import type { BrowserContext, Page } from '@playwright/test';
import type { Warmed, WarmUpOptions } from '../browser.ts';
import { formatNetError } from './formatNetError.ts';
import { protocolsOf, type Answered } from './protocolsOf.ts';

/** Requests until the browser has learned what it can; the first one brings Alt-Svc. */
const VISITS = 3;
/** The last packets of the connections that were closed. */
const REST_MS = 300;

/**
 * Makes a browser one that has visited an origin: Alt-Svc, TLS tickets and QUIC's session cache are known, and no connection
 * is open any more, so that the next request races or begins with 0-RTT. In the running browser, because Chromium 156 keeps
 * tickets and QUIC's sessions in memory: a profile on disk has the Alt-Svc alone.
 *
 * @throws Error in one sentence when the origin did not answer
 */
export async function warmUp(
  context: BrowserContext,
  { pageUrl, urls, withinMs }: WarmUpOptions,
): Promise<Warmed> {
  const startedAtUnixMs = Date.now();
  const page = await context.newPage();
  try {
    await openSmall(page, pageUrl);
    const isOver = late(withinMs);
    const protocols: (readonly string[])[] = [];
    for (const [index, url] of urls.entries()) {
      const asking = { times: VISITS, isMedia: index > 0 };
      const answered = await Promise.race([protocolsOf(page, url, asking), isOver]);
      if (answered.error !== null)
        throw new Error(
          `${url} did not answer the visit that warms the browser up: ${formatNetError({ errorText: answered.error, isQuicForced: false, url })}`,
        );
      protocols.push(answered.protocols);
    }
    await closeConnections(page);
    await pause(REST_MS);
    return { startedAtUnixMs, endedAtUnixMs: Date.now(), protocols: protocols[0] ?? [] };
  } finally {
    await page.close();
  }
}

const late = (afterMs: number): Promise<Answered> =>
  pause(
    Math.max(0, afterMs),
    { protocols: [], status: null, error: `not within ${Math.round(afterMs)} ms` },
    { ref: false },
  );

/**
 * A page of the site that loads nothing. From its server: Chromium lets a page of no address ask nothing of a local one
 * (Local Network Access, https://wicg.github.io/local-network-access/).
 */
const openSmall = async (page: Page, pageUrl: string): Promise<void> =>
  void (await page.goto(new URL('/favicon.svg', pageUrl).href));

/** Chromium's own page for it (chrome/browser/resources/net_internals/sockets_view.html): caches stay. */
async function closeConnections(page: Page): Promise<void> {
  await page.goto('chrome://net-internals/#sockets');
  await page.locator('#sockets-view-close-idle-button').click();
  await page.locator('#sockets-view-flush-button').click();
}
