import { expect, test } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import { trackErrors } from './trackErrors.ts';
import type { Surroundings } from './surroundings.ts';

/** Fails an element with these codes, with a player that restarts its decoder twice; returns which errors are fatal. */
function fatalsOf(...codes: number[]): boolean[] {
  const fatals: boolean[] = [];
  const video = Object.assign(new EventTarget(), { error: null as { code: number; message: string } | null });
  const player = {
    on: () => undefined,
    off: () => undefined,
    getSettings: () => ({ errors: { recoverAttempts: { mediaErrorDecode: 2 } } }),
  };
  const around = {
    player: player as unknown as MediaPlayerClass,
    video: video as unknown as HTMLVideoElement,
    clock: { nowMs: () => 0, sessionMs: (ms: number) => ms },
    recording: { record: (draft: Draft) => void (draft.kind === 'error' && fatals.push(draft.fatal)) },
    keepQueryValues: false,
  };
  const dispose = trackErrors(around as unknown as Surroundings, () => null);
  for (const code of codes) {
    video.error = { code, message: 'x' };
    video.dispatchEvent(new Event('error'));
  }
  dispose();
  return fatals;
}

test('a decoder that dash.js starts anew has not ended playback; one that it gives up has', () => {
  expect(fatalsOf(3)).toEqual([false]);
  expect(fatalsOf(3, 3, 3)).toEqual([false, false, true]);
});

test('a media error that nothing is done about ends playback', () => {
  expect(fatalsOf(4)).toEqual([true]);
  expect(fatalsOf(2)).toEqual([true]);
});
