import type { SessionHeader } from '../../telemetry/schema/sessionLog.ts';
import { formatRule } from '../../player/rules.ts';
import { presetOf } from '../../player/presets.ts';
import { ruleLook } from '../../charts/ruleLook.ts';
import { byId, html } from '../dom.ts';
import { formatSplit } from '../../shared/format.ts';
import type { ShownSession, View } from '../session/shownSession.ts';
import type { Fact } from '../panels/facts.ts';
import { type Linked, linkedSetup, sharedLink, type LinkTexts } from './sharedLink.ts';

/** The set-up of an opened session, in the place of the start bar: to read, and with a link that sets it up again. */
export function openedSetup(onAgain: (setup: Linked) => void): View {
  const root = byId('opened-setup', HTMLElement);
  const facts = byId('opened-facts', HTMLDListElement);
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
      facts.replaceChildren(
        ...setupFacts(header).map(([label, value]) =>
          html('div', {}, html('dt', {}, label), html('dd', { title: value }, value)),
        ),
      );
      // The form has streams only.
      again.hidden = header.environment.transfer != null;
      again.href = setupLink(header, location.href);
      again.textContent = isOfTheLab(header) ? 'Use this rule and its settings' : 'Set this up again';
    },
    update() {},
  };
}

/** What the session played and how, each with a short name. What the log does not say is left out. */
export function setupFacts({ environment, clock, design }: SessionHeader): readonly Fact[] {
  const { rule, ruleParameters, preset, mpdUrl, transport, link, steering, browser, simulator } = environment;
  const label = rule === null ? null : ruleLook(rule).label;
  const text = rule === null ? null : formatRule(rule, ruleParameters);
  const facts: [string, string | null | undefined][] = [
    ['Transfer', environment.transfer],
    ['Stream', mpdUrl],
    ['ABR rule', text === null || text === rule ? label : `${label} (${text})`],
    ['Settings', preset === null ? null : presetLabel(preset)],
    ['Steering', steering && steering.policy],
    ['Viewer’s script', environment.viewer],
    ['Ranges of a segment', formatSplit(environment)],
    ['Transport', transport],
    ['Network', link],
    ['Browser', browser],
    // A simulation has no clock.
    ['Recorded', simulator ? null : formatDay(clock.startedAtUnixMs)],
    ['Version', environment.pitwallVersion],
    ['Campaign', design?.campaign],
  ];
  return facts.filter((fact): fact is [string, string] => fact[1] != null && fact[1] !== '');
}

/** A log may come from a version with other presets. */
function presetLabel(text: string): string {
  const preset = presetOf(text);
  return preset.ok ? preset.value.label : text;
}

const formatDay = (unixMs: number): string =>
  new Date(unixMs).toLocaleDateString('en-GB', { dateStyle: 'medium' });

/** The lab's servers exist during their session only: names under `test` are never resolved (RFC 6761 §6.2). */
const isOfTheLab = ({ environment }: SessionHeader): boolean =>
  /\.test$/.test(URL.parse(environment.mpdUrl ?? '')?.hostname ?? '');

/** The address that fills the form with the session's set-up, and starts nothing. */
export function setupLink(header: SessionHeader, page: string): string {
  const { rule, ruleParameters, preset, viewer } = header.environment;
  const texts: LinkTexts = {
    ...serverTexts(header),
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
