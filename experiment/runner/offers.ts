import type { ReadyToPlay } from './playSessions.ts';
import { probeOffers, type Offer } from '../../lab/browser/chromium/probeOffers.ts';
import { lastProtocolOf } from '../../src/telemetry/transportModes.ts';

/**
 * Prints which protocols the server of an MPD, and each other one that its media come from, answers with in each transport mode.
 * Returns the modes in which one of them answers with another protocol.
 *
 * @throws Error in one sentence where it answers in no mode: sessions would only repeat that
 */
export async function printOffers(
  mpdUrl: string,
  { chromiumPath, appUrl, mediaUrls, trusted }: ReadyToPlay,
  print: (line: string) => void,
): Promise<readonly string[]> {
  // As in `warmUp`: a page of the site that loads nothing.
  const asking = {
    chromiumPath,
    pageUrl: new URL('/favicon.svg', appUrl).href,
    ...(trusted && { spkiSha256Base64: trusted.spkiSha256Base64 }),
  };
  const probed = await probeOffers(mpdUrl, asking);
  print(offerTable(probed, 'the MPD'));
  const all = [...probed.offers];
  for (const url of mediaUrls[mpdUrl] ?? []) {
    const ofMedia = await probeOffers(url, { ...asking, isMedia: true });
    print(offerTable(ofMedia, 'media'));
    all.push(...ofMedia.offers);
  }
  if (probed.offers.some(({ protocols }) => protocols.length > 0))
    return all.filter(({ mode, protocols }) => !isOffered(mode, protocols)).map(({ mode }) => mode);
  const causes = new Set(probed.offers.map(({ error }) => error));
  // Over QUIC alone a browser does not say that the certificate is the reason.
  const [untrusted] = [...causes].filter((cause) => cause?.includes('certificate is not trusted'));
  throw new Error(
    untrusted == null
      ? `${mpdUrl}: The server answers in no transport mode: ${[...causes].join('; ')}.`
      : `${mpdUrl}: The lab's browser does not accept it: ${untrusted}. Name the certificate with --trust FILE.pem.`,
  );
}

/** Formats what a foreign origin offers, one line per mode. */
function offerTable({ url, offers }: { url: string; offers: readonly Offer[] }, what: string): string {
  const lines = offers.map(({ mode, protocols, error }) => {
    const seen = protocols.length > 0 ? protocols.join(', then ') : 'nothing';
    const why = error === null ? '' : `: ${error}`;
    const note =
      protocols.length === 0 || isOffered(mode, protocols) ? '' : '  ← not the protocol of this mode';
    return `  ${mode.padEnd(10)} ${seen}${why}${note}`;
  });
  return [`${new URL(url).host} answers the request for ${what} with:`, ...lines].join('\n');
}

const isOffered = (mode: Offer['mode'], protocols: readonly string[]): boolean => {
  const last = lastProtocolOf(mode);
  return protocols.at(-1) === (last === 'h1' ? 'http/1.1' : last);
};
