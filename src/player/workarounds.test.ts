import type { MediaPlayerClass } from 'dashjs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { GRACE_MS, letElementEnd } from './workarounds.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

/** A player and its element; `look` is what becomes of dash.js' finding that the end is reached. */
function atTheEnd() {
  const video = Object.assign(new EventTarget(), { currentTime: 23.999999 });
  const received: { listener: (found: object) => void; priority: number }[] = [];
  const player = {
    on: (_type: string, listener: (found: object) => void, _scope: null, options: { priority: number }) =>
      void received.push({ listener, priority: options.priority }),
    off: () => void received.pop(),
  } as unknown as MediaPlayerClass;
  const dispose = letElementEnd(player, video);
  return {
    received,
    dispose,
    element: (type: string) => void video.dispatchEvent(new Event(type)),
    look(isLast = true) {
      const found = { isLast };
      for (const { listener } of received) listener(found);
      return found;
    },
  };
}

describe('letElementEnd', () => {
  it('keeps dash.js from acting on the end before the element said it', () => {
    const { look, received } = atTheEnd();
    expect(look()).toEqual({ isLast: false });
    // PlaybackController listens with 5000 (EventBus.js): what is changed must be changed before.
    expect(received[0]!.priority).toBeGreaterThan(5000);
  });

  it('passes on what follows the element, without a place to seek to that it cannot reach', () => {
    const { look, element } = atTheEnd();
    element('ended');
    expect(look()).toEqual({ isLast: true, seekTime: 23.999999 });
  });

  it('lets dash.js end playback where the element does not', () => {
    const { look } = atTheEnd();
    look();
    vi.advanceTimersByTime(GRACE_MS - 1);
    expect(look()).toEqual({ isLast: false });
    vi.advanceTimersByTime(1);
    expect(look()).toEqual({ isLast: true, seekTime: 23.999999 });
  });

  it.each(['playing', 'seeking'])('knows of no end any more after %s', (type) => {
    const { look, element } = atTheEnd();
    look();
    element('ended');
    element(type);
    vi.advanceTimersByTime(GRACE_MS);
    expect(look()).toEqual({ isLast: false });
  });

  it('leaves the end of a period that others follow alone, and everything once disposed', () => {
    const { look, dispose } = atTheEnd();
    expect(look(false)).toEqual({ isLast: false });
    dispose();
    expect(look()).toEqual({ isLast: true });
  });
});
