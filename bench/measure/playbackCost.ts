import type { CDPSession, Page } from '@playwright/test';
import { steeringQuery, type Arm } from './arms.ts';
import { inTab } from './inTab.ts';
import type { Place } from './place.ts';

/** What a page's main thread did during a stretch of playback, in seconds per minute of wall time. */
export interface CostWindow {
  /** Processor time: does not grow when other programs take the core away. */
  readonly cpuS: number;
  /** Begin to end of its tasks, waiting for a core included. */
  readonly taskS: number;
  readonly scriptS: number;
  readonly layoutS: number;
}

export interface PlaybackCost {
  readonly arm: Arm['id'];
  readonly round: number;
  readonly windows: readonly CostWindow[];
  readonly framesDropped: number;
  readonly framesDecoded: number;
}

interface CostPlan {
  readonly warmUpMs: number;
  readonly windowMs: number;
  readonly windows: number;
}

/** How long a stream may take to start before the measurement counts as broken. */
const START_LIMIT_MS = 30_000;

/** Beyond what the plan waits: opening the page and asking it. */
const SLACK_MS = 30_000;

/** Plays the demo once on the page of an arm, in a browser of its own, and measures after a warm-up. */
export function playbackCost(
  place: Place,
  { arm, round, plan }: { arm: Arm; round: number; plan: CostPlan },
): Promise<PlaybackCost> {
  const limitMs = START_LIMIT_MS + plan.warmUpMs + plan.windows * plan.windowMs + SLACK_MS;
  return inTab(place, { viewport: arm.viewport, what: arm.label, limitMs }, async ({ page, devtools }) => {
    const query = { autoplay: '1', ...(arm.isSteered && steeringQuery(place)) };
    await page.goto(place.address(arm.page, query));
    await page.waitForFunction(isPlaying, null, { timeout: START_LIMIT_MS });
    await devtools.send('Performance.enable', { timeDomain: 'timeTicks' });
    await page.waitForTimeout(plan.warmUpMs);
    await requireCharts(page, arm);
    const before = await page.evaluate(framesNow);
    const windows = await measureWindows(devtools, page, plan);
    const after = await page.evaluate(framesNow);
    if (after.positionS - before.positionS < (0.9 * plan.windows * plan.windowMs) / 1000)
      throw new Error('playback stood still while it was measured, so the figures mean nothing.');
    return {
      arm: arm.id,
      round,
      windows,
      framesDropped: after.dropped - before.dropped,
      framesDecoded: after.decoded - before.decoded,
    };
  });
}

async function measureWindows(devtools: CDPSession, page: Page, plan: CostPlan): Promise<CostWindow[]> {
  const windows: CostWindow[] = [];
  let last = await counters(devtools);
  for (let count = 0; count < plan.windows; count += 1) {
    await page.waitForTimeout(plan.windowMs);
    const now = await counters(devtools);
    const perMinute = 60 / (now.atS - last.atS);
    windows.push({
      cpuS: (now.cpuS - last.cpuS) * perMinute,
      taskS: (now.taskS - last.taskS) * perMinute,
      scriptS: (now.scriptS - last.scriptS) * perMinute,
      layoutS: (now.layoutS - last.layoutS) * perMinute,
    });
    last = now;
  }
  return windows;
}

/** Seconds since the page began; `layoutS` is layout and style together. Chromium counts its main thread only. */
export async function counters(
  devtools: CDPSession,
): Promise<{ atS: number; cpuS: number; taskS: number; scriptS: number; layoutS: number }> {
  const { metrics } = await devtools.send('Performance.getMetrics');
  const of = (name: string): number => {
    const found = metrics.find((metric) => metric.name === name);
    if (!found) throw new Error(`Chromium does not report ${name}`);
    return found.value;
  };
  return {
    atS: of('Timestamp'),
    cpuS: of('ThreadTime'),
    taskS: of('TaskDuration'),
    scriptS: of('ScriptDuration'),
    layoutS: of('LayoutDuration') + of('RecalcStyleDuration'),
  };
}

/** Checks that the page shows the charts of its arm: they are what distinguishes the arms. */
async function requireCharts(page: Page, { id, page: name }: Arm): Promise<void> {
  if (name !== 'full') return;
  const seen = await page.evaluate(chartsOnScreen);
  if (seen.all === 0) throw new Error('the page has no charts.');
  const wanted = id === 'off-screen' ? 0 : seen.all;
  if (seen.inside !== wanted)
    throw new Error(`${seen.inside} of ${seen.all} charts are on screen, not ${wanted}.`);
}

/** Runs in the page. */
function isPlaying(): boolean {
  const video = document.querySelector('video');
  return video !== null && !video.paused && video.readyState > 2 && video.currentTime > 0.2;
}

/** Runs in the page. */
function framesNow(): { decoded: number; dropped: number; positionS: number } {
  const video = document.querySelector('video')!;
  const { totalVideoFrames, droppedVideoFrames } = video.getVideoPlaybackQuality();
  return { decoded: totalVideoFrames, dropped: droppedVideoFrames, positionS: video.currentTime };
}

/** Runs in the page. The page hides a chart that the session has nothing for: such a chart costs nothing. */
function chartsOnScreen(): { all: number; inside: number } {
  const boxes = [...document.querySelectorAll('#stack canvas')]
    .filter((canvas) => canvas.closest('[hidden]') === null)
    .map((canvas) => canvas.getBoundingClientRect());
  const inside = boxes.filter(({ top, bottom, height }) => height > 0 && bottom > 0 && top < innerHeight);
  return { all: boxes.length, inside: inside.length };
}
