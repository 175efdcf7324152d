import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { MediaPlayerClass } from 'dashjs';
import type { Draft } from '../event.ts';
import { failureOf } from '../../player/failures/errors.ts';
import { ENDING_CODES, trackErrors } from './trackErrors.ts';
import type { Surroundings } from './surroundings.ts';

let page = new EventTarget();
beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  vi.stubGlobal('removeEventListener', page.removeEventListener.bind(page));
});
afterEach(() => void vi.unstubAllGlobals());

/** Errors of an element, and of a player that restarts its decoder twice, and which of them are fatal. */
function errors({ isReady = true } = {}) {
  const fatals: boolean[] = [];
  const said: string[] = [];
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
    recording: {
      record(draft: Draft) {
        if (draft.kind !== 'error') return;
        fatals.push(draft.fatal);
        said.push(`${draft.source} ${draft.code}: ${draft.message}`);
      },
    },
    keepQueryValues: false,
  };
  const dispose = trackErrors(around as unknown as Surroundings, () => null);
  return {
    fatals,
    said,
    dispose,
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

describe('an exception that nobody catches', () => {
  const thrown = (type: 'error' | 'unhandledrejection', where: string, text = 'a is null'): void => {
    const error = Object.assign(new TypeError(text), { stack: `TypeError: ${text}\n    at ${where}` });
    const event = type === 'error' ? { error } : { reason: error };
    page.dispatchEvent(Object.assign(new Event(type), event));
  };
  const SAID = 'player dashjs-exception: dash.js threw an exception: TypeError: a is null';

  test.each([
    'Pe.applyPatch (https://app.test/assets/dashjs-CfZIR07x.js:1:4711)',
    'https://cdn.dashjs.org/v5.2.1/modern/umd/dash.all.min.js:2:3\n    at https://app.test/index.js:1:1',
    'update@http://127.0.0.1:5173/node_modules/.vite/deps/dashjs.js?v=1:90:10',
  ])('at %s is of dash.js', (where) => {
    const { said, fatals } = errors();
    thrown('unhandledrejection', where);
    expect([said, fatals]).toEqual([[SAID], [false]]);
  });

  test.each([
    'go (https://app.test/assets/index-a.js:1:1)\n    at https://app.test/assets/dashjs-b.js:1:1',
    '',
  ])('at "%s" is not', (where) => {
    const { said } = errors();
    thrown('error', where);
    page.dispatchEvent(new Event('error'));
    page.dispatchEvent(Object.assign(new Event('unhandledrejection'), { reason: 'no' }));
    expect(said).toEqual([]);
  });

  test('is said once, of the first twenty, and not after the end', () => {
    const { said, dispose } = errors();
    const where = 'a (https://app.test/dash.js:1:1)';
    for (let each = 0; each < 50; each += 1) thrown('error', where, `no ${each % 25}`);
    expect(said).toHaveLength(20);
    dispose();
    const { said: later, dispose: end } = errors();
    end();
    thrown('error', where);
    expect(later).toEqual([]);
  });
});
