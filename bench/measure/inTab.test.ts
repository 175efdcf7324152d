import { expect, test, vi } from 'vitest';
import { inTab } from './inTab.ts';
import type { Tab } from './place.ts';

/** A browser whose page answers `state` when it is asked how far it is. */
function browser({ state = 'complete, no video', close = () => Promise.resolve() } = {}) {
  const closed = vi.fn(close);
  const tab = { page: { evaluate: () => Promise.resolve(state) }, close: closed } as unknown as Tab;
  return { closed, place: { open: () => Promise.resolve(tab) } };
}

const options = { viewport: { width: 1, height: 1 }, what: 'first frame', limitMs: 20 };

test('what was measured comes back, and the browser is closed', async () => {
  const { place, closed } = browser();
  expect(await inTab(place, options, () => Promise.resolve(7))).toBe(7);
  expect(closed).toHaveBeenCalledOnce();
});

test('a page that never answers ends at the limit, with what it shows', async () => {
  const { place, closed } = browser({ state: 'complete, readyState 1, paused at 0.00 s, 3 requests' });
  await expect(inTab(place, options, () => new Promise(() => undefined))).rejects.toThrow(
    'first frame: no answer within 0.02 s (the page: complete, readyState 1, paused at 0.00 s, 3 requests)',
  );
  expect(closed).toHaveBeenCalledOnce();
});

test('what fails in the measurement is said, and the browser is closed', async () => {
  const { place, closed } = browser();
  await expect(inTab(place, options, () => Promise.reject(new Error('no charts')))).rejects.toThrow(
    'first frame: no charts (the page: complete, no video)',
  );
  expect(closed).toHaveBeenCalledOnce();
});

test('a browser that does not open is said', async () => {
  const place = { open: () => Promise.reject(new Error('no display')) };
  await expect(inTab(place, options, () => Promise.resolve(7))).rejects.toThrow(
    'first frame: opening the browser: no display',
  );
});

test('a browser that does not close is no measurement', async () => {
  const { place } = browser({ close: () => Promise.reject(new Error('gone')) });
  await expect(inTab(place, options, () => Promise.resolve(7))).rejects.toThrow(
    'first frame: closing the browser: gone',
  );
});
