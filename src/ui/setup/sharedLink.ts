import { announce } from '../messages.ts';
import { byId, copyText, setText } from '../dom.ts';
import { formatQueryValue } from '../../shared/format.ts';

/**
 * The part of a set-up that a link carries. Headers, credentials and key systems never do.
 * `autoplay` "muted" is the headless lab's: play at once, without sound. Absent, a link with an MPD starts by
 * itself as far as the browser lets it; "off" only fills the form.
 */
export interface Linked {
  readonly mpd: string | null;
  /** The player; absent: the one that the address needs. */
  readonly player: string | null;
  /** An id, with parameters or without: `fixed:level=4`. */
  readonly rule: string | null;
  readonly preset: string | null;
  readonly cmcd: string | null;
  /** Where segment sizes come from: a file beside the MPD, `head` or `none`. */
  readonly sizes: string | null;
  readonly seed: string | null;
  /** Address of the weights file of a rule that needs one. */
  readonly weights: string | null;
  /** Servers with the same files, `tcp=https://tcp.cdn.example`, one a line. */
  readonly pathways: string | null;
  /** The steering policy that chooses between them: an id, with parameters or without. */
  readonly steering: string | null;
  /** What is done in the session as by a viewer: `time-30:pause-35,position-60:seek-to-200`. */
  readonly viewer: string | null;
  /** In how many byte ranges at once a video segment is requested. */
  readonly split: string | null;
  readonly autoplay: 'muted' | 'off' | null;
}

/** As the fields of the form hold it. */
export type LinkTexts = Readonly<Record<Exclude<keyof Linked, 'autoplay'>, string>>;

/** Reads `location.search`. Empty values count as absent. */
export function linkedSetup(search: string): Linked {
  const query = new URLSearchParams(search);
  const value = (name: string): string | null => query.get(name)?.trim() || null;
  const autoplay = value('autoplay');
  return {
    mpd: value('mpd'),
    player: value('player'),
    rule: value('rule'),
    preset: value('preset'),
    cmcd: value('cmcd'),
    sizes: value('sizes'),
    seed: value('seed'),
    weights: value('weights'),
    pathways:
      query
        .getAll('pathway')
        .map((each) => each.trim())
        .filter(Boolean)
        .join('\n') || null,
    steering: value('steering'),
    viewer: value('viewer'),
    split: value('split'),
    autoplay: autoplay === null ? null : autoplay === '0' ? 'off' : 'muted',
  };
}

/** All but the pathways, in the order of a link. */
const NAMES = [
  'mpd',
  'player',
  'rule',
  'preset',
  'cmcd',
  'sizes',
  'seed',
  'weights',
  'steering',
  'viewer',
  'split',
] as const;

/** Values that a link need not say. */
const USUAL: Partial<LinkTexts> = { cmcd: 'off', seed: '1', split: '1' };

/** The address that opens this page with the same set-up. `page` is the page's own address. */
export function sharedLink(page: string, texts: LinkTexts): string {
  const link = new URL(page);
  link.hash = '';
  const pathways = texts.pathways.split(/\s+/).filter(Boolean);
  link.search = [
    ...NAMES.filter((name) => texts[name] !== '' && texts[name] !== USUAL[name]).map(
      (name) => `${name}=${formatQueryValue(texts[name])}`,
    ),
    ...pathways.map((pathway) => `pathway=${formatQueryValue(pathway)}`),
  ].join('&');
  return link.href;
}

/** Whether a player is needed that is no part of the page itself: one is named, or the address is of an HLS playlist. */
export const needsOtherPlayer = (address: string | null, player: string | null | undefined): boolean =>
  (player || 'dashjs') !== 'dashjs' || /\.m3u8($|[?#])/i.test(address ?? '');

/** Whether the page's address asks for the compare view and not for the live one. */
export const isCompareLink = (search: string): boolean => /[?&](compare|logs?)(=|&|$)/.test(search);

/** Whether an address asks for downloads without media (docs/transfer.md). */
export const isTransferLink = (search: string): boolean => /[?&]transfer=/.test(search);

/** The link to this set-up and the button that copies it. */
export function linkBox(setup: () => Parameters<typeof sharedLink>[1]): { update(): void } {
  const output = byId('share-url', HTMLOutputElement);
  const button = byId('copy-link', HTMLButtonElement);
  button.addEventListener('click', () => {
    void copy(sharedLink(location.href, setup()), output)
      .then((done) => {
        button.textContent = done ? 'Copied' : 'Press Ctrl+C';
        announce(done ? 'Link copied.' : 'The link is selected: copy it with Control and C.');
      })
      .finally(() => setTimeout(() => (button.textContent = 'Copy'), 2000));
  });
  return {
    update() {
      const link = sharedLink(location.href, setup());
      setText(output, link.replace(/^https?:\/\//, ''));
      output.title = link;
    },
  };
}

/** Without a secure context there is no clipboard: then the text is selected for the reader to copy. */
async function copy(text: string, shown: HTMLElement): Promise<boolean> {
  if (await copyText(text)) return true;
  shown.textContent = text;
  getSelection()?.selectAllChildren(shown);
  return false;
}
