import type { Player } from '../../player/player.ts';
import { byId, html } from '../dom.ts';

interface Listeners {
  /** The player that keys act on; null while none plays. */
  readonly player: () => Player | null;
  readonly toggleFullScreen: () => void;
  /** Pins the previous or next decision in the charts. */
  readonly stepDecision: (step: -1 | 1) => void;
}

/**
 * Keys of the page. They act wherever no control has a use of its own for them. A visitor whose speech input types
 * letters can limit them to the video (WCAG 2.1.4).
 */
export function keyboard({ player, toggleFullScreen, stepDecision }: Listeners): void {
  const help = byId('keys', HTMLDialogElement);
  byId('keys-list', HTMLDivElement).append(...GROUPS.flatMap(groupElements));
  const everywhere = everywhereChoice();
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const action = actionOf(event.key);
    if (!action || !isFree(event, everywhere())) return;
    if (action.kind === 'help') help.showModal();
    else if (action.kind === 'decision') stepDecision(action.step);
    else {
      const playing = player();
      if (!playing) return;
      act(playing, action, toggleFullScreen);
    }
    event.preventDefault();
  });
}

const STORED = 'pitwall-keys';

/** The choice in the list of keys, kept for later visits. */
function everywhereChoice(): () => boolean {
  const box = byId('keys-everywhere', HTMLInputElement);
  // A browser may refuse storage: the choice then lasts as long as the page.
  try {
    box.checked = localStorage.getItem(STORED) !== 'video';
  } catch {
    box.checked = true;
  }
  box.addEventListener('change', () => {
    try {
      localStorage.setItem(STORED, box.checked ? 'everywhere' : 'video');
    } catch {
      // As above.
    }
  });
  return () => box.checked;
}

/** What is typed into, or picks by letters. */
const TYPED_INTO =
  'select, textarea, [contenteditable], input:not([type="range"], [type="checkbox"], [type="radio"], [type="file"])';

/** What Space presses or opens. */
const PRESSED = 'button, summary, input[type="checkbox"], input[type="radio"]';

function isFree({ target, key }: KeyboardEvent, everywhere: boolean): boolean {
  if (!(target instanceof Element) || document.querySelector('dialog[open], :popover-open')) return false;
  if (target.closest(TYPED_INTO)) return false;
  if (key === ' ' && target.closest(PRESSED)) return false;
  const inScreen = target.closest('#screen') !== null;
  // Elsewhere they scroll the page, or move another slider.
  if (key.startsWith('Arrow')) return inScreen && target.id !== 'volume';
  return everywhere || inScreen || key === '?';
}

function act(player: Player, action: Action, toggleFullScreen: () => void): void {
  const { video } = player;
  switch (action.kind) {
    case 'toggle':
      return void (video.paused ? player.play() : player.pause());
    case 'seek': {
      const lastMs = player.durationMs() ?? Infinity;
      return player.seek(Math.min(lastMs, Math.max(0, player.positionMs() + action.byMs)));
    }
    case 'volume':
      video.muted = false;
      video.volume = Math.min(1, Math.max(0, video.volume + action.by));
      return;
    case 'mute':
      video.muted = !video.muted;
      return;
    case 'full-screen':
      return toggleFullScreen();
    case 'help':
    case 'decision':
  }
}

/** Keys as the list shows them. */
interface KeyRow {
  readonly keys: readonly string[];
  readonly does: string;
}

function groupElements({ title, rows }: (typeof GROUPS)[number]): readonly HTMLElement[] {
  const items = rows.flatMap(({ keys, does }) => [
    html('dt', {}, ...keys.map((key) => html('kbd', {}, key))),
    html('dd', {}, does),
  ]);
  return [html('h3', {}, title), html('dl', {}, ...items)];
}

/** The keys of the page; arrows only while the video has the focus. */
export const KEYS: readonly (KeyRow & { readonly action: Action })[] = [
  { keys: ['Space', 'k'], does: 'play or pause', action: { kind: 'toggle' } },
  { keys: ['←'], does: '5 s back', action: { kind: 'seek', byMs: -5000 } },
  { keys: ['→'], does: '5 s forward', action: { kind: 'seek', byMs: 5000 } },
  { keys: ['j'], does: '10 s back', action: { kind: 'seek', byMs: -10_000 } },
  { keys: ['l'], does: '10 s forward', action: { kind: 'seek', byMs: 10_000 } },
  { keys: ['↑'], does: 'louder', action: { kind: 'volume', by: 0.1 } },
  { keys: ['↓'], does: 'quieter', action: { kind: 'volume', by: -0.1 } },
  { keys: ['m'], does: 'sound off or on', action: { kind: 'mute' } },
  { keys: ['f'], does: 'full screen', action: { kind: 'full-screen' } },
  { keys: ['['], does: 'previous decision', action: { kind: 'decision', step: -1 } },
  { keys: [']'], does: 'next decision', action: { kind: 'decision', step: 1 } },
  { keys: ['?'], does: 'this list', action: { kind: 'help' } },
];

/** Those of the time axis, which the charts handle. */
const AXIS_KEYS: readonly KeyRow[] = [
  { keys: ['←', '→'], does: 'move the crosshair by 1 s, with Shift by 10 s' },
  { keys: ['Page Up', 'Page Down'], does: 'by a tenth of what is shown' },
  { keys: ['Home', 'End'], does: 'to the first or last moment shown' },
  { keys: ['Enter'], does: 'show the request under the crosshair' },
  { keys: ['Esc'], does: 'let the crosshair go' },
];

const isArrow = ({ keys }: KeyRow): boolean => keys.some((key) => '←→↑↓'.includes(key));

const GROUPS: readonly { readonly title: string; readonly rows: readonly KeyRow[] }[] = [
  { title: 'Anywhere', rows: KEYS.filter((row) => !isArrow(row)) },
  { title: 'On the video', rows: KEYS.filter(isArrow) },
  { title: 'On the time axis of the charts', rows: AXIS_KEYS },
];

type Action =
  | { readonly kind: 'toggle' | 'mute' | 'full-screen' | 'help' }
  | { readonly kind: 'decision'; readonly step: -1 | 1 }
  | { readonly kind: 'seek'; readonly byMs: number }
  | { readonly kind: 'volume'; readonly by: number };

const NAMES: Readonly<Record<string, string>> = {
  ' ': 'Space',
  ArrowLeft: '←',
  ArrowRight: '→',
  ArrowUp: '↑',
  ArrowDown: '↓',
};

/** The action of a key by its `KeyboardEvent.key`; null for any other key. */
export function actionOf(key: string): Action | null {
  const name = NAMES[key] ?? (key.length === 1 ? key.toLowerCase() : key);
  return KEYS.find(({ keys }) => keys.includes(name))?.action ?? null;
}
