import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { formatRule } from '../../player/rules.ts';
import { byId } from '../dom.ts';
import { formatSplit } from '../../shared/format.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import { writeFacts } from './setupFacts.ts';
import { type Linked, linkedSetup, sharedLink, type LinkTexts } from './sharedLink.ts';

/** The set-up of an opened session, in the place of the start bar: to read, and with a link that sets it up again. */
export function openedSetup(onAgain: (setup: Linked) => void): View {
  const root = byId('opened-setup', HTMLElement);
  const again = byId('opened-again', HTMLAnchorElement);
  // On this page, because one that records behind the opened session must not be left.
  again.addEventListener('click', (event) => {
    event.preventDefault();
    onAgain(linkedSetup(new URL(again.href).search));
  });
  return {
    show(session: ShownSession | null) {
      const isOpened = session !== null && !session.nowMs;
      root.hidden = !isOpened;
      if (!isOpened) return;
      const header = session.header();
      writeFacts(header);
      // The form has streams only.
      again.hidden = header.environment.transfer != null;
      again.href = setupLink(header, location.href);
      again.textContent = isOfTheLab(header) ? 'Use this rule and its settings' : 'Set this up again';
    },
    update() {},
  };
}

/** The lab's servers exist during their session only: names under `test` are never resolved (RFC 6761 §6.2). */
const isOfTheLab = ({ environment }: SessionHeader): boolean =>
  /\.test$/.test(URL.parse(environment.mpdUrl ?? '')?.hostname ?? '');

/** The address that fills the form with the session's set-up, and starts nothing. */
export function setupLink(header: SessionHeader, page: string): string {
  const { rule, ruleParameters, preset, viewer } = header.environment;
  const player = playerIn(header.environment);
  const texts: LinkTexts = {
    ...serverTexts(header),
    player,
    rule: rule === null ? '' : formatRule(rule, ruleParameters),
    preset: preset ?? '',
    cmcd: 'off',
    sizes: '',
    seed: '1',
    weights: '',
    viewer: viewer ?? '',
    split: formatSplit(header.environment),
  };
  const link = new URL(sharedLink(page, texts));
  link.searchParams.set('autoplay', '0');
  return link.href;
}

/** The player as a link names it; '' for dash.js, and for a player that is none of the page's. */
export const playerIn = ({ player = '' }: { readonly player?: string }): string =>
  player.startsWith('hls.js ') ? 'hlsjs' : player.startsWith('shaka-player ') ? 'shaka' : '';

/** What a link says of the servers: nothing of those of the lab. */
function serverTexts(header: SessionHeader): Pick<LinkTexts, 'mpd' | 'pathways' | 'steering'> {
  if (isOfTheLab(header)) return { mpd: '', pathways: '', steering: '' };
  const { mpdUrl, steering } = header.environment;
  return { mpd: mpdUrl ?? '', pathways: pathwaysText(steering), steering: steering?.policy ?? '' };
}

/** The pathways beside the first, which is that of the stream, as the form has them. */
export const pathwaysText = (steering: SessionHeader['environment']['steering']): string =>
  (steering?.pathways ?? [])
    .slice(1)
    .map(({ id, base }) => `${id}=${base}`)
    .join('\n');
