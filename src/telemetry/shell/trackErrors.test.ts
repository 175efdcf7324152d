import { expect, test } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import { failureOf } from '../../player/failures/errors.ts';
import { ENDING_CODES, trackErrors } from './trackErrors.ts';
import type { Surroundings } from './surroundings.ts';

/** Errors of an element, and of a player that restarts its decoder twice, and which of them are fatal. */
function errors({ isReady = true } = {}) {
  const fatals: boolean[] = [];
  const listeners = new Map<string, (payload: object) => void>();
  const video = Object.assign(new EventTarget(), { error: null as { code: number; message: string } | null });
  const player = {
    on: (name: string, listener: (payload: object) => void) => void listeners.set(name, listener),
    off: () => undefined,
    isReady: () => isReady,
    getSettings: () => ({ errors: { recoverAttempts: { mediaErrorDecode: 2 } } }),
  };
  const around = {
    player: player as unknown as MediaPlayerClass,
    video: video as unknown as HTMLVideoElement,
    clock: { nowMs: () => 0, sessionMs: (ms: number) => ms },
    recording: { record: (draft: Draft) => void (draft.kind === 'error' && fatals.push(draft.fatal)) },
    keepQueryValues: false,
  };
  trackErrors(around as unknown as Surroundings, () => null);
  return {
    fatals,
    ofElement(...codes: number[]) {
      for (const code of codes) {
        video.error = { code, message: 'x' };
        video.dispatchEvent(new Event('error'));
      }
      return fatals;
    },
    ofPlayer: (code: number) => listeners.get('error')!({ error: { code, message: 'x' } }),
    manifest: () => listeners.get('manifestLoaded')!({ data: {} }),
    tearDown: () => listeners.get('streamTeardownComplete')!({}),
    nextManifest: () => listeners.get('manifestLoadingStarted')!({}),
  };
}

test('a decoder that dash.js starts anew has not ended playback; one that it gives up has', () => {
  expect(errors().ofElement(3)).toEqual([false]);
  expect(errors().ofElement(3, 3, 3)).toEqual([false, false, true]);
});

test('a media error that nothing is done about ends playback', () => {
  expect(errors().ofElement(4)).toEqual([true]);
  expect(errors().ofElement(2)).toEqual([true]);
});

test('errors of dash.js are fatal before it has a manifest, and where it then plays nothing more', () => {
  const { fatals, manifest, ofPlayer } = errors();
  ofPlayer(25);
  manifest();
  for (const code of [25, 27, 32, 35, 111, 113]) ofPlayer(code);
  expect(fatals).toEqual([true, false, false, true, true, true, false]);
});

test('a stream that a reset cuts short has not failed', () => {
  const { fatals, manifest, ofPlayer } = errors({ isReady: false });
  manifest();
  ofPlayer(32);
  expect(fatals).toEqual([false]);
});

test.each(ENDING_CODES)('the code %s ends playback on the page, too', (code) => {
  const error = { code: code as number, message: 'x' };
  expect(failureOf(error, { hasManifest: true, isProtected: false }).kind).toBe('fatal');
});

test('another source begins without a manifest, and its decoder may be started anew as often', () => {
  const { fatals, manifest, nextManifest, ofElement, ofPlayer, tearDown } = errors();
  manifest();
  ofElement(3, 3);
  tearDown();
  nextManifest();
  ofPlayer(25);
  ofElement(3);
  expect(fatals).toEqual([false, false, true, false]);
});

test('a stream that dash.js takes off because of an error leaves the count of them', () => {
  const { fatals, manifest, ofElement, tearDown } = errors();
  manifest();
  ofElement(3, 3);
  tearDown();
  ofElement(3);
  expect(fatals).toEqual([false, false, true]);
});
