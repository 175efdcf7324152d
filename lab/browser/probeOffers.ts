import { launchChromium } from './launchChromium.ts';
import { modes, type BrowserMode } from './mode.ts';
import { protocolsOf } from './protocolsOf.ts';

/** Which protocols an origin answered with in one browser mode, in order; empty with the reason when it did not. */
export interface Offer {
  readonly mode: BrowserMode['id'];
  readonly protocols: readonly string[];
  readonly error: string | null;
}

export interface ProbeOptions {
  readonly chromiumPath: string;
  readonly spkiSha256Base64?: string;
  readonly hostRules?: string;
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
  for (const mode of modes) offers.push(await probe(url, mode, options));
  return { url, offers };
}

async function probe(url: string, mode: BrowserMode, options: ProbeOptions): Promise<Offer> {
  const { hostname, port, protocol } = new URL(url);
  const target = {
    host: hostname,
    port: Number(port || (protocol === 'http:' ? 80 : 443)),
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
    const asked = mode.id === 'h3-racing' ? 3 : 1;
    return { mode: mode.id, ...(await protocolsOf(page, url, asked)) };
  } finally {
    await browser.close();
  }
}
