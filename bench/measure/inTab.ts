import type { Page } from '@playwright/test';
import { within } from '../../experiment/session/within.ts';
import type { Place, Tab, Viewport } from './place.ts';

interface TabOptions {
  readonly viewport: Viewport;
  /** What is measured, for the error. */
  readonly what: string;
  /** How long that may take. Playwright's `evaluate` waits for ever. */
  readonly limitMs: number;
}

/** Above the limit of `launchChromium`. */
const OPEN_MS = 90_000;
/** A page that hangs does not answer at all; a browser that hangs does not close. */
const ANSWER_MS = 5000;
const CLOSE_MS = 30_000;

/**
 * Measures in a browser of its own and closes it.
 *
 * @throws Error with what was measured and how far the page was, when that fails or takes longer than the limit
 */
export async function inTab<Measured>(
  place: Pick<Place, 'open'>,
  { viewport, what, limitMs }: TabOptions,
  measure: (tab: Tab) => Promise<Measured>,
): Promise<Measured> {
  const opening = place.open(viewport);
  const tab = await within(OPEN_MS, opening).catch((fault: Error) => {
    // One that opens after all is closed.
    void opening.then((late) => late.close()).catch(() => undefined);
    throw new Error(`${what}: opening the browser: ${fault.message}`, { cause: fault });
  });
  let measured: Measured;
  try {
    measured = await within(limitMs, measure(tab));
  } catch (fault) {
    const page = await within(ANSWER_MS, pageState(tab.page)).catch((error: Error) => error.message);
    await within(CLOSE_MS, tab.close()).catch(() => undefined);
    throw new Error(`${what}: ${(fault as Error).message} (the page: ${page})`, { cause: fault });
  }
  await within(CLOSE_MS, tab.close()).catch((fault: Error) => {
    throw new Error(`${what}: closing the browser: ${fault.message}`, { cause: fault });
  });
  return measured;
}

const pageState = (page: Page): Promise<string> => page.evaluate(stateNow);

/** Runs in the page. */
function stateNow(): string {
  const video = document.querySelector('video');
  const alert = document.querySelector('[role=alert]:not([hidden])')?.textContent.trim() ?? '';
  const requests = performance.getEntriesByType('resource').length;
  const playback = video
    ? `readyState ${video.readyState}, ${video.paused ? 'paused' : 'playing'} at ${video.currentTime.toFixed(2)} s` +
      (video.error ? `, ${video.error.message}` : '')
    : 'no video';
  return `${document.readyState}, ${playback}, ${requests} requests${alert && `, “${alert}”`}`;
}
