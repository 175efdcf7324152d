import { createScreen, type ElementWord, type Reading, type ScreenDraft } from './screen.ts';

/** What happens at a session time, ms: a word of the element, a look or a frame. */
export type Step = [what: ElementWord['type'] | 'look' | 'frame', atMs: number, more?: Given];
type Given = Partial<Reading> & {
  readonly by?: 'viewer' | 'player' | 'recovery';
  readonly beforeMs?: number;
  /** Frames that were presented until this one. */
  readonly count?: number;
};

/** Plays the steps; media is loaded far ahead unless a step says otherwise, and the browser reports no frames. */
export function play(steps: readonly Step[], always: Given = {}) {
  const drafts: ScreenDraft[] = [];
  const screen = createScreen((draft) => void drafts.push(draft));
  let frames = 0;
  for (const [what, atMs, more] of steps) {
    const { by = 'viewer', beforeMs = atMs, count = frames + 1, ...given } = { ...always, ...more };
    const reading: Reading = {
      atMs,
      playheadMs: atMs,
      rate: 1,
      paused: false,
      isSeeking: false,
      loadedToMs: 1e6,
      framesCome: false,
      ...given,
    };
    if (what === 'look') screen.look(reading);
    else if (what === 'frame') {
      screen.look(reading);
      frames = count;
      screen.present({ atMs, mediaMs: reading.playheadMs, count });
    } else screen.hear(what === 'seeking' ? { type: what, by, beforeMs } : { type: what }, reading);
  }
  return { drafts, screen };
}

export const FRAMES = { framesCome: true } as const;
export const EMPTY = { loadedToMs: null } as const;
