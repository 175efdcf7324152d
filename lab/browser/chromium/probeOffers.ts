import type { Page } from '@playwright/test';
import { launchChromium } from './launchChromium.ts';
import { isRacing } from '../../../src/telemetry/transportModes.ts';
import type { BrowserMode } from '../browser.ts';
import { modes } from './modes.ts';
import { formatNetError } from './formatNetError.ts';
import { protocolsOf, unusable, type Answered } from './protocolsOf.ts';

/** Which protocols an origin answered with in one browser mode, in order; empty when it did not. */
export interface Offer {
  readonly mode: BrowserMode['id'];
  readonly protocols: readonly string[];
  /** Why it did not answer, or why nothing can be played from what it answered, for people; null when all is well. */
  readonly error: string | null;
}

export interface ProbeOptions {
  readonly chromiumPath: string;
  readonly spkiSha256Base64?: string;
  readonly hostRules?: string;
  /** A page of the site that players are on: servers may let it read what others may not. Absent: a page of no site. */
  readonly pageUrl?: string;
  /** Whether it is media, so that no MPD is expected there. Absent: an MPD. */
  readonly isMedia?: boolean;
  /** Absent: all but variants. */
  readonly modes?: readonly BrowserMode['id'][];
}

/**
 * Asks for `url` in each mode and reads the protocol from DevTools, which needs neither CORS nor
 * Timing-Allow-Origin. In the racing mode the second request is what tells: the first one learns Alt-Svc.
 */
export async function probeOffers(
  url: string,
  options: ProbeOptions,
): Promise<{ url: string; offers: Offer[] }> {
  const offers: Offer[] = [];
  for (const mode of modes)
    if (options.modes?.includes(mode.id) ?? mode.variantOf === undefined)
      offers.push(await probe(url, mode, options));
  return { url, offers };
}

async function probe(url: string, mode: BrowserMode, options: ProbeOptions): Promise<Offer> {
  const { hostname, port, protocol } = new URL(url);
  const target = {
    servers: [{ host: hostname, port: Number(port || (protocol === 'http:' ? 80 : 443)) }],
    ownCertificate: options.spkiSha256Base64 !== undefined,
  };
  const browser = await launchChromium({
    executablePath: options.chromiumPath,
    flags: mode.flags(target),
    spkiSha256Base64: options.spkiSha256Base64 ?? null,
    hostRules: options.hostRules ?? null,
  });
  try {
    const page = browser.context.pages()[0] ?? (await browser.context.newPage());
    if (options.pageUrl !== undefined) await page.goto(options.pageUrl);
    const { isMedia = false } = options;
    const answered = await protocolsOf(page, url, { times: isRacing(mode.id) ? 3 : 1, isMedia });
    const { protocols } = answered;
    return { mode: mode.id, protocols, error: await faultOf(page, { url, mode, answered, isMedia }) };
  } finally {
    await browser.close();
  }
}

async function faultOf(
  page: Page,
  { url, mode, answered, isMedia }: { url: string; mode: BrowserMode; answered: Answered; isMedia: boolean },
): Promise<string | null> {
  const { protocols, status, error } = answered;
  const isQuicForced = mode.id === 'h3-only' && url.startsWith('https:');
  if (protocols.length === 0) return formatNetError({ errorText: error ?? 'no answer', isQuicForced, url });
  if (status !== null && status >= 400) return `the server answers ${status}`;
  return unusable(page, url, isMedia);
}
