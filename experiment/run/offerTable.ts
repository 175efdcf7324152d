import type { Offer } from '../../lab/browser/probeOffers.ts';

/** What a foreign origin offers, one line per mode. */
export function offerTable({ url, offers }: { url: string; offers: readonly Offer[] }): string {
  const lines = offers.map(({ mode, protocols, error }) => {
    const seen = protocols.length > 0 ? protocols.join(', then ') : 'nothing';
    const why = error === null ? '' : `: ${error}`;
    const note =
      protocols.length === 0 || offered(mode, protocols) ? '' : '  ← not the protocol of this mode';
    return `  ${mode.padEnd(10)} ${seen}${why}${note}`;
  });
  return [`${new URL(url).host} answers the request for the MPD with:`, ...lines].join('\n');
}

const LAST_PROTOCOL: Readonly<Record<Offer['mode'], string>> = {
  h1: 'http/1.1',
  h2: 'h2',
  'h3-racing': 'h3',
  'h3-only': 'h3',
};

const offered = (mode: Offer['mode'], protocols: readonly string[]): boolean =>
  protocols.at(-1) === LAST_PROTOCOL[mode];
