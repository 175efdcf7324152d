import { expect, test, vi } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import { onNextSource, onPlayer } from './surroundings.ts';

/** A player with the event bus of dash.js: what a listener throws reaches whoever triggers. */
function eventBus() {
  const listeners = new Set<{ name: string; listener: (payload: object) => void }>();
  const player = {
    on: (name: string, listener: (payload: object) => void) => void listeners.add({ name, listener }),
    off(name: string, listener: (payload: object) => void) {
      for (const each of listeners)
        if (each.name === name && each.listener === listener) listeners.delete(each);
    },
  } as unknown as MediaPlayerClass;
  return {
    player,
    listeners,
    trigger(type: string) {
      for (const { name, listener } of listeners) if (name === type) listener({ type });
    },
  };
}

test('what a listener throws does not reach dash.js, and is a warning once', () => {
  const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
  const { player, listeners, trigger } = eventBus();
  const seen = vi.fn();
  const dispose = onPlayer(player, {
    manifestLoaded() {
      throw new TypeError('not in this browser');
    },
  });
  onPlayer(player, { manifestLoaded: seen });
  trigger('manifestLoaded');
  trigger('manifestLoaded');
  expect(seen).toHaveBeenCalledTimes(2);
  expect(warn).toHaveBeenCalledOnce();
  dispose();
  expect(listeners.size).toBe(1);
  warn.mockRestore();
});

test('the next source is one whose manifest loads after a stream was taken off', () => {
  const { player, trigger } = eventBus();
  const act = vi.fn();
  onNextSource(player, act);
  for (const name of ['manifestLoadingStarted', 'manifestLoadingStarted', 'streamTeardownComplete'])
    trigger(name);
  expect(act).not.toHaveBeenCalled();
  for (const name of ['manifestLoadingStarted', 'manifestLoadingStarted']) trigger(name);
  expect(act).toHaveBeenCalledOnce();
});
