import {
  PROTOCOL_NAMES,
  protocolFrom,
  protocolOf,
  type Protocol,
} from '../../analysis/transport/protocol.ts';
import type { SessionSeries } from '../../analysis/timeline/series.ts';
import { byId, html } from '../dom.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { NOTHING, type OriginDescription, whyPlain } from './originDescription.ts';

/**
 * The line "origin offers · seen here": what `pitwall.json` says of the stream's origin, and the protocols that
 * answers really came over. Whether they raced, a page cannot see.
 */
export function transportOffer(): View & { describe(description: OriginDescription): void } {
  const host = byId('offer', HTMLElement);
  const mpd = byId('mpd', HTMLInputElement);
  let description: OriginDescription = NOTHING;
  let session: ShownSession | null = null;
  let drawn = '';
  const update = (): void => {
    const offers = offersOf(description, mpd.value);
    const seen = session ? seenIn(session.series) : [];
    const why = whyPlain(description, mpd.value);
    const key = JSON.stringify([offers, seen, why]);
    if (key === drawn) return;
    drawn = key;
    host.replaceChildren(
      ...(offers ? offers.map(tagOf) : [html('span', { class: 'muted' }, why ?? 'unknown')]),
      html('span', { class: 'sep' }),
      ...(seen.length > 0
        ? ['seen ', ...seen.map(tagOf)]
        : [html('span', { class: 'muted' }, 'nothing seen yet')]),
    );
  };
  update();
  return {
    show(next) {
      session = next;
      update();
    },
    update,
    describe(next) {
      description = next;
      update();
    },
  };
}

function offersOf({ origins }: OriginDescription, mpd: string): readonly Protocol[] | null {
  const origin = URL.parse(mpd, location.href)?.origin;
  const offers = origins.find(({ url }) => url === origin)?.offers.map(protocolOf);
  return offers ? [...new Set(offers)] : null;
}

function seenIn({ requests }: SessionSeries): readonly Protocol[] {
  const codes = new Set(requests.columns.protocol.subarray(0, requests.length));
  return [...codes]
    .map(protocolFrom)
    .filter((protocol) => protocol !== 'unknown')
    .sort();
}

const tagOf = (protocol: Protocol): HTMLElement =>
  html('span', { class: 'tag' }, html('span', { class: `sw ${protocol}` }), PROTOCOL_NAMES[protocol]);
