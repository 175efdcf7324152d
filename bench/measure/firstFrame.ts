import type { PageName, Place, Viewport } from './place.ts';

/**
 * Time to the first frame, ms, read the same way on every page by a script that runs before the page's own.
 * The first frame is the first `requestVideoFrameCallback` of the video, at the time its picture was handed over
 * for display (`presentationTime`).
 */
export interface FirstFrame {
  /** From the press of Start on a page that has finished loading. */
  readonly sinceStartMs: number;
  /** From the request for the MPD: leaves out what a page does before it asks. */
  readonly sinceMpdMs: number;
}

export interface LinkedFirstFrame {
  /** From the navigation to a link that plays at once: loading the page counts. */
  readonly sinceNavigationMs: number;
}

const VIEWPORT: Viewport = { width: 1440, height: 900 };
const LIMIT_MS = 30_000;
/** After the last resource: what a page does by itself at first is then over. */
const QUIET_MS = 1000;

/** A page, and what its address has besides. */
export interface Opened {
  readonly page: PageName;
  readonly query?: Readonly<Record<string, string>>;
}

export async function firstFrameAfterStart(place: Place, { page, query }: Opened): Promise<FirstFrame> {
  const tab = await place.open(VIEWPORT);
  try {
    await tab.page.addInitScript(watchFirstFrame);
    await tab.page.goto(place.address(page, { autoplay: '0', ...query }), { waitUntil: 'networkidle' });
    await tab.page.waitForTimeout(QUIET_MS);
    await tab.page.click('#start');
    return await tab.page.evaluate(seenSinceStart, LIMIT_MS);
  } finally {
    await tab.close();
  }
}

export async function firstFrameOfLink(place: Place, { page, query }: Opened): Promise<LinkedFirstFrame> {
  const tab = await place.open(VIEWPORT);
  try {
    await tab.page.addInitScript(watchFirstFrame);
    await tab.page.goto(place.address(page, { autoplay: '1', ...query }), { waitUntil: 'commit' });
    return { sinceNavigationMs: await tab.page.evaluate(() => globalThis.pitwallBench.firstFrameMs) };
  } finally {
    await tab.close();
  }
}

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
async function seenSinceStart(limitMs: number): Promise<FirstFrame> {
  const late = new Promise<never>((_, reject) => {
    setTimeout(() => reject(new Error('no first frame')), limitMs);
  });
  const frameMs = await Promise.race([globalThis.pitwallBench.firstFrameMs, late]);
  const { startMs, mpdMs } = globalThis.pitwallBench;
  if (startMs === null || mpdMs === null) throw new Error('the start or the MPD request was not seen');
  return { sinceStartMs: frameMs - startMs, sinceMpdMs: frameMs - mpdMs };
}
