import { inTab } from './inTab.ts';
import type { PageName, Place, Viewport } from './place.ts';

/**
 * Time to the first frame, ms, read the same way on every page by a script that runs before the page's own.
 * The first frame is the first `requestVideoFrameCallback` of the video, at the time its picture was handed over
 * for display (`presentationTime`).
 */
interface FirstFrame {
  /** From the press of Start on a page that has finished loading. */
  readonly sinceStartMs: number;
  /** From the request for the MPD: leaves out what a page does before it asks. */
  readonly sinceMpdMs: number;
}

interface LinkedFirstFrame {
  /** From the navigation to a link that plays at once: loading the page counts. */
  readonly sinceNavigationMs: number;
}

const VIEWPORT: Viewport = { width: 1440, height: 900 };
const LIMIT_MS = 60_000;
/** After the last resource: what a page does by itself at first is then over. */
const QUIET_MS = 1000;

/** A page, what its address has besides, and where it is, when not where the bench measures. */
export interface Opened {
  readonly page: PageName;
  readonly query?: Readonly<Record<string, string>>;
  readonly place?: Place;
}

export function firstFrameAfterStart(benchPlace: Place, opened: Opened): Promise<FirstFrame> {
  const place = opened.place ?? benchPlace;
  const what = `first frame of the ${opened.page} page after Start`;
  return inTab(place, { viewport: VIEWPORT, what, limitMs: LIMIT_MS }, async ({ page }) => {
    await page.addInitScript(watchFirstFrame);
    await page.goto(addressOf(place, opened, '0'), { waitUntil: 'networkidle' });
    await page.waitForTimeout(QUIET_MS);
    await page.click('#start');
    return page.evaluate(seenSinceStart);
  });
}

export function firstFrameOfLink(benchPlace: Place, opened: Opened): Promise<LinkedFirstFrame> {
  const place = opened.place ?? benchPlace;
  const what = `first frame of a link to the ${opened.page} page`;
  return inTab(place, { viewport: VIEWPORT, what, limitMs: LIMIT_MS }, async ({ page }) => {
    await page.addInitScript(watchFirstFrame);
    await page.goto(addressOf(place, opened, '1'), { waitUntil: 'commit' });
    return { sinceNavigationMs: await page.evaluate(() => globalThis.pitwallBench.firstFrameMs) };
  });
}

const addressOf = (place: Place, { page, query }: Opened, autoplay: '0' | '1'): string =>
  place.address(page, { autoplay, ...query });

declare global {
  /** Put into measured pages; times are of `performance.now()`. */
  var pitwallBench: { firstFrameMs: Promise<number>; startMs: number | null; mpdMs: number | null };
}

/** Runs in the page, before any of its scripts. */
function watchFirstFrame(): void {
  const firstFrameMs = new Promise<number>((resolve) => {
    document.addEventListener('DOMContentLoaded', () => {
      document
        .querySelector('video')
        ?.requestVideoFrameCallback((_, { presentationTime }) => resolve(presentationTime));
    });
  });
  globalThis.pitwallBench = { firstFrameMs, startMs: null, mpdMs: null };
  // An observer of its own: a page may clear the browser's list.
  new PerformanceObserver((list) => {
    const mpd = list.getEntries().find(({ name }) => /\.mpd(\?|$)/.test(name));
    if (mpd) globalThis.pitwallBench.mpdMs ??= mpd.startTime;
  }).observe({ type: 'resource' });
  const onStart = (event: Event): void => {
    if (event.isTrusted) globalThis.pitwallBench.startMs ??= event.timeStamp;
  };
  addEventListener('click', onStart, { capture: true });
}

/** Runs in the page. */
async function seenSinceStart(): Promise<FirstFrame> {
  const frameMs = await globalThis.pitwallBench.firstFrameMs;
  const { startMs, mpdMs } = globalThis.pitwallBench;
  if (startMs === null || mpdMs === null) throw new Error('the start or the MPD request was not seen');
  return { sinceStartMs: frameMs - startMs, sinceMpdMs: frameMs - mpdMs };
}
