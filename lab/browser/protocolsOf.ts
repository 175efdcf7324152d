import type { Page } from '@playwright/test';

/** What an origin answered a page with, each change in order, and what went wrong first. */
export interface Answered {
  readonly protocols: readonly string[];
  readonly error: string | null;
}

/** Time for the browser to try what it has just learned from Alt-Svc. */
const PAUSE_MS = 700;

/** Asks for `url` so many times and reads the protocols from DevTools, which needs neither CORS nor Timing-Allow-Origin. */
export async function protocolsOf(page: Page, url: string, times: number): Promise<Answered> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  const seen: string[] = [];
  devtools.on('Network.responseReceived', ({ response }) => {
    if (response.url === url && response.protocol) seen.push(response.protocol);
  });
  let error: string | null = null;
  for (let count = 0; count < times; count += 1) {
    error ??= await ask(page, url);
    await page.waitForTimeout(PAUSE_MS);
  }
  return { protocols: seen.filter((each, index) => each !== seen[index - 1]), error };
}

/** An MPD opened as a page becomes a download, so it is fetched; an opaque answer is enough. */
async function ask(page: Page, url: string): Promise<string | null> {
  return page.evaluate(
    (address) =>
      fetch(address, { mode: 'no-cors', cache: 'no-store' }).then(
        () => null,
        (failure: unknown) => String(failure),
      ),
    url,
  );
}
