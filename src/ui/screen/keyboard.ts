import type { Player } from '../../player/player.ts';
import { byId, html } from '../dom.ts';

/**
 * Keys for the player. They work while the screen has the focus, or nothing has: a letter typed into a field or
 * said to a speech input that drives another control is never taken (WCAG 2.1.4).
 */
export function keyboard(player: () => Player | null, toggleFullScreen: () => void): void {
  const help = byId('keys', HTMLDialogElement);
  byId('keys-list', HTMLDListElement).append(...KEYS.flatMap(({ keys, does }) => rowOf(keys, does)));
  document.addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
    const action = actionOf(event.key);
    if (!action || !belongsToScreen(event, action)) return;
    if (action.kind === 'help') help.showModal();
    else {
      const playing = player();
      if (!playing) return;
      act(playing, action, toggleFullScreen);
    }
    event.preventDefault();
  });
}

function belongsToScreen({ target, key }: KeyboardEvent, action: Action): boolean {
  if (!(target instanceof Element) || document.querySelector('dialog[open], :popover-open')) return false;
  const inScreen = target.closest('#screen') !== null;
  if (target.closest('select, textarea') || target.id === 'volume') return false;
  // Space and Enter press a focused button; a button elsewhere keeps all of its keys.
  if (target instanceof HTMLButtonElement && (!inScreen || key === ' ')) return false;
  if (target === document.body) return action.kind !== 'volume' && !key.startsWith('Arrow');
  return inScreen;
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
  }
}

function rowOf(keys: readonly string[], does: string): readonly HTMLElement[] {
  return [html('dt', {}, ...keys.map((key) => html('kbd', {}, key))), html('dd', {}, does)];
}

/** What the keys do while the video, one of its controls or nothing has the focus. */
export const KEYS: readonly {
  readonly keys: readonly string[];
  readonly does: string;
  readonly action: Action;
}[] = [
  { keys: ['Space', 'k'], does: 'play or pause', action: { kind: 'toggle' } },
  { keys: ['←'], does: '5 s back', action: { kind: 'seek', byMs: -5000 } },
  { keys: ['→'], does: '5 s on', action: { kind: 'seek', byMs: 5000 } },
  { keys: ['j'], does: '10 s back', action: { kind: 'seek', byMs: -10_000 } },
  { keys: ['l'], does: '10 s on', action: { kind: 'seek', byMs: 10_000 } },
  { keys: ['↑'], does: 'louder', action: { kind: 'volume', by: 0.1 } },
  { keys: ['↓'], does: 'quieter', action: { kind: 'volume', by: -0.1 } },
  { keys: ['m'], does: 'sound off or on', action: { kind: 'mute' } },
  { keys: ['f'], does: 'full screen', action: { kind: 'full-screen' } },
  { keys: ['?'], does: 'this list', action: { kind: 'help' } },
];

type Action =
  | { readonly kind: 'toggle' | 'mute' | 'full-screen' | 'help' }
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
