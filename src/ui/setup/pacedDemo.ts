import { formatQueryValue } from '../../shared/format.ts';
import { byId, html } from '../dom.ts';
import type { OriginDescription } from './originDescription.ts';

/**
 * Offers the demo at the paces that this server sends it at, each as a link that plays it: on one machine nothing else makes a
 * rule react. `isPlain`: this browser does not trust the certificate of the other address.
 */
export function offerPaced(paces: OriginDescription['paces'], isPlain: boolean): void {
  const links = paces.flatMap(({ label, about, demoUrl, plainDemoUrl }) => {
    const mpd = isPlain ? plainDemoUrl : demoUrl;
    if (mpd === null) return [];
    const link = html('a', {}, html('b', {}, label), html('span', {}, about));
    link.href = `./?mpd=${formatQueryValue(mpd)}`;
    return [html('li', {}, link)];
  });
  byId('paced-list', HTMLUListElement).replaceChildren(...links);
  byId('paced', HTMLElement).hidden = links.length === 0;
}
