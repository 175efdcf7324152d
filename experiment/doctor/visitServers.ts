import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from '@playwright/test';
import type { RunningBrowser } from '../../lab/browser/browser.ts';
import { formatNetError } from '../../lab/browser/chromium/formatNetError.ts';
import { launchChromium } from '../../lab/browser/chromium/launchChromium.ts';
import { modes } from '../../lab/browser/chromium/modes.ts';
import { protocolsOf } from '../../lab/browser/chromium/protocolsOf.ts';
import type { Trusted } from '../../node/trust.ts';
import { portOf } from '../../src/doctor/answers.ts';
import type { BrowserEvidence, Look, LookedAt, Visit } from '../../src/doctor/evidence.ts';
import { pick } from '../../src/shared/registry.ts';

export interface Visiting {
  readonly chromiumPath: string;
  /** One file of each server. */
  readonly urls: readonly string[];
  /** MIME types with codecs that the browser is asked about. */
  readonly types: readonly string[];
  /** A file of a server that is known to answer over QUIC. */
  readonly knownUrl: string | undefined;
  /** A file to download by turns; null: none. */
  readonly lookUrl: string | null;
  readonly trusted: Trusted | undefined;
  /** Chromium's rules for names; null: the system resolves them. */
  readonly hostRules: string | null;
  readonly signal: AbortSignal;
}

export interface Visited {
  /** By the addresses of `Visiting.urls`. */
  readonly visits: ReadonlyMap<string, Visit>;
  readonly browser: BrowserEvidence;
}

/**
 * Visits servers with three Chromium: as viewers have it, with QUIC alone, and with TCP alone. Their page is of this machine and
 * loads nothing. @throws Error in one sentence where none starts, or where the time is over
 */
export async function visitServers(visiting: Visiting): Promise<Visited> {
  const blank = createServer((_asked, answer) =>
    answer.setHeader('content-type', 'text/html').end('<!doctype html>'),
  );
  await new Promise<void>((resolve) => blank.listen(0, '127.0.0.1', resolve));
  const pageUrl = `http://localhost:${(blank.address() as AddressInfo).port}/`;
  const running: RunningBrowser[] = [];
  const open = async (mode: Mode): Promise<Page> => {
    const browser = await launch(mode, visiting);
    running.push(browser);
    if (visiting.signal.aborted) await browser.close();
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    await page.goto(pageUrl);
    return page;
  };
  try {
    return await Promise.race([visitWith(open, visiting), overAt(visiting.signal)]);
  } finally {
    await Promise.all(running.map((browser) => browser.close().catch(() => undefined)));
    blank.closeAllConnections();
    blank.close();
  }
}

type Mode = 'h2' | 'h3-racing' | 'h3-only';

const overAt = (signal: AbortSignal): Promise<never> =>
  new Promise((_resolve, reject) => {
    const end = (): void => reject(new Error('the browser was not done in time'));
    if (signal.aborted) end();
    else signal.addEventListener('abort', end, { once: true });
  });

const visitedUrls = ({ urls, knownUrl }: Visiting): string[] => [urls, knownUrl ?? []].flat();

function launch(mode: Mode, visiting: Visiting): Promise<RunningBrowser> {
  const { chromiumPath, trusted, hostRules } = visiting;
  const urls = visitedUrls(visiting);
  const servers = urls.map((url) => ({ host: new URL(url).hostname, port: portOf(url) }));
  return launchChromium({
    executablePath: chromiumPath,
    flags: pick(modes, mode).flags({ servers, ownCertificate: trusted !== undefined }),
    spkiSha256Base64: trusted?.spkiSha256Base64 ?? null,
    hostRules,
  });
}

/** Requests of a browser that may learn of h3, and race. */
const RACING_TIMES = 3;

async function visitWith(open: (mode: Mode) => Promise<Page>, visiting: Visiting): Promise<Visited> {
  const { urls, types, knownUrl, lookUrl } = visiting;
  const [racingPage, quicPage, tcpPage] = await Promise.all([
    open('h3-racing'),
    open('h3-only'),
    lookUrl === null ? null : open('h2'),
  ]);
  const racing = await eachUrl(racingPage, urls, RACING_TIMES);
  const quic = await eachUrl(quicPage, visitedUrls(visiting), 1);
  const overQuic = new Set(
    [...quic].flatMap(([url, { protocols }]) => (protocols.includes('h3') ? [new URL(url).origin] : [])),
  );
  const isQuic = (url: string): boolean => overQuic.has(new URL(url).origin);
  const visits = new Map(
    urls.map((url) => {
      const errorOf = (by: typeof quic, isQuicForced: boolean): string | null => {
        const errorText = by.get(url)?.error ?? null;
        return errorText === null ? null : formatNetError({ errorText, isQuicForced, url });
      };
      const visit: Visit = {
        racing: racing.get(url)?.protocols ?? [],
        racingError: errorOf(racing, false),
        quic: isQuic(url) ? 'h3' : null,
        quicError: errorOf(quic, true),
      };
      return [url, visit] as const;
    }),
  );
  const hasBoth = lookUrl !== null && tcpPage !== null && isQuic(lookUrl);
  return {
    visits,
    browser: {
      name: await racingPage.evaluate(
        () => `Chromium ${/Chrome\/(\d+)/.exec(navigator.userAgent)?.[1] ?? ''}`,
      ),
      undecodable: await racingPage.evaluate(
        (asked) => asked.filter((type) => !MediaSource.isTypeSupported(type)),
        [...types],
      ),
      isUdpOpen: knownUrl === undefined ? null : isQuic(knownUrl),
      look: hasBoth ? await lookAt(lookUrl, tcpPage, quicPage).catch(() => null) : null,
    },
  };
}

/** Asks for each file in a page of its own, at once. */
async function eachUrl(
  first: Page,
  urls: readonly string[],
  times: number,
): Promise<ReadonlyMap<string, Awaited<ReturnType<typeof protocolsOf>>>> {
  const asked = urls.map(async (url, index) => {
    const page = index === 0 ? first : await first.context().newPage();
    if (index > 0) await page.goto(first.url());
    return [url, await protocolsOf(page, url, { times, isMedia: true })] as const;
  });
  return new Map(await Promise.all(asked));
}

const LOOKS = 3;

/** Downloads a file by turns over TCP and QUIC, after one download of each that opens the connection. */
async function lookAt(url: string, tcpPage: Page, quicPage: Page): Promise<Look> {
  const [h2, h3]: [LookedAt[], LookedAt[]] = [[], []];
  let sizeBytes = 0;
  for (let count = 0; count <= LOOKS; count += 1)
    for (const [page, list] of [
      [tcpPage, h2],
      [quicPage, h3],
    ] as const) {
      const { bytes, ...times } = await page.evaluate(download, url);
      sizeBytes = bytes;
      if (count > 0) list.push(times);
    }
  return { sizeBytes, h2, h3 };
}

/** Runs in the page. */
async function download(url: string): Promise<LookedAt & { bytes: number }> {
  const startMs = performance.now();
  const response = await fetch(url, { cache: 'no-store' });
  const firstByteMs = performance.now() - startMs;
  const { byteLength: bytes } = await response.arrayBuffer();
  return { bytes, firstByteMs, wholeMs: performance.now() - startMs };
}
