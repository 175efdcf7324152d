import type { CDPSession, Page } from '@playwright/test';

/** What an origin answered a page with, each change in order, and what went wrong first. */
export interface Answered {
  readonly protocols: readonly string[];
  /** HTTP's of the last answer; null without one. */
  readonly status: number | null;
  /** First error by Chromium's name, `net::ERR_CONNECTION_REFUSED`; null when each request was answered. */
  readonly error: string | null;
}

/** Time for the browser to try what it has just learned from Alt-Svc. */
const PAUSE_MS = 700;

interface Asking {
  readonly times: number;
  /** Whether bodies are cancelled: a media file may be the whole video. */
  readonly isMedia?: boolean;
}

/** Asks for `url` so many times and reads the protocols from DevTools, which needs neither CORS nor Timing-Allow-Origin. */
export async function protocolsOf(
  page: Page,
  url: string,
  { times, isMedia = false }: Asking,
): Promise<Answered> {
  const measured = await measure(page, url);
  const seen: string[] = [];
  let status: number | null = null;
  measured.devtools.on('Network.responseReceived', ({ response }) => {
    if (response.url !== url) return;
    status = response.status;
    if (response.protocol) seen.push(response.protocol);
  });
  let error: string | null = null;
  for (let count = 0; count < times; count += 1) {
    // An MPD opened as a page becomes a download, so it is fetched; an opaque answer is enough.
    const failure = await page.evaluate(ask, { url, mode: 'no-cors', isMedia });
    await page.waitForTimeout(PAUSE_MS);
    if (failure !== null) error ??= measured.failure()?.errorText ?? failure;
  }
  return { protocols: seen.filter((each, index) => each !== seen[index - 1]), status, error };
}

/** Why a player in this page could do nothing with what is at `url`, which answers; null when it could. */
export async function unusable(page: Page, url: string, isMedia: boolean): Promise<string | null> {
  const measured = await measure(page, url);
  const failure = await page.evaluate(ask, { url, mode: 'cors', isMedia });
  if (failure === NO_MPD) return 'the address gives no MPD (no <MPD> element)';
  if (failure === WEB_PAGE) return 'what is there is a web page, not an MPD';
  if (failure === null) return null;
  await page.waitForTimeout(PAUSE_MS);
  const { corsErrorStatus, errorText, blockedReason } = measured.failure() ?? {};
  const reason = corsErrorStatus?.corsError ?? blockedReason ?? errorText ?? failure;
  return corsErrorStatus
    ? `the server does not let a page read the file: CORS (Access-Control-Allow-Origin; ${reason})`
    : `the file is not readable by a page (${reason})`;
}

const NO_MPD = 'no MPD';
const WEB_PAGE = 'a web page';

interface Measured {
  readonly devtools: CDPSession;
  /** The last failure of a request for the address. */
  failure(): Failure | null;
}

interface Failure {
  readonly errorText: string;
  readonly blockedReason?: string | undefined;
  readonly corsErrorStatus?: { readonly corsError: string } | undefined;
}

async function measure(page: Page, url: string): Promise<Measured> {
  const devtools = await page.context().newCDPSession(page);
  const asked = new Set<string>();
  let last: Failure | null = null;
  devtools.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.url === url) asked.add(requestId);
  });
  devtools.on('Network.loadingFailed', (failed) => {
    if (asked.has(failed.requestId)) last = failed;
  });
  await devtools.send('Network.enable');
  return { devtools, failure: () => last };
}

/** Runs in the page. Of what may be read it says, too, whether that is an MPD. */
async function ask({
  url,
  mode,
  isMedia,
}: {
  url: string;
  mode: string;
  isMedia: boolean;
}): Promise<string | null> {
  try {
    const ending = new AbortController();
    const { signal } = ending;
    const response = await fetch(url, { mode: mode as RequestMode, cache: 'no-store', signal });
    if (isMedia) ending.abort();
    if (isMedia || mode === 'no-cors') return null;
    const text = await response.text();
    if (/<(?:\w+:)?MPD[\s/>]/.test(text)) return null;
    return /<(?:!doctype )?html\b/i.test(text) ? 'a web page' : 'no MPD';
  } catch (failure) {
    return String(failure);
  }
}
