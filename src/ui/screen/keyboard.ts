import type { Player } from '../../player/player.ts';
import { byId } from '../byId.ts';
import { element } from '../element.ts';
import { type Action, actionOf, KEYS } from './keys.ts';

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
  return [element('dt', {}, ...keys.map((key) => element('kbd', {}, key))), element('dd', {}, does)];
}
