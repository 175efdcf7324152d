import type { CDPSession, Page } from '@playwright/test';
import type { DayBench } from '../page/day.ts';
import type { DayOptions } from '../page/day/recordDay.ts';
import type { Figure } from '../figure.ts';
import { median } from '../statistics.ts';
import { bootstrap } from '../../src/analysis/statistics/intervals.ts';
import { inTab } from './inTab.ts';
import type { Place } from './place.ts';
import { counters } from './playbackCost.ts';

declare global {
  var day: Promise<DayBench> | undefined;
}

/** How long the synthetic session is, and how often its charts are drawn for the measurement. */
interface DayPlan {
  readonly segments: number;
  readonly redraws: number;
}

interface DayCost {
  readonly events: number;
  readonly requests: number;
  readonly heapBefore: Heap;
  readonly heapAfter: Heap;
  /** Per redraw, by what was shown. */
  readonly redraws: { readonly all: readonly RedrawCost[]; readonly window: readonly RedrawCost[] };
  /** What the same wait costs when nothing is drawn. */
  readonly idle: readonly RedrawCost[];
}

/** The main thread's processor time, ms: script, style, layout, paint and, without a GPU, the canvases' pixels. */
interface RedrawCost {
  readonly cpuMs: number;
  readonly scriptMs: number;
}

/** Bytes that are in use after a garbage collection. Typed arrays live in `backingBytes`, outside V8's own heap. */
interface Heap {
  readonly scriptBytes: number;
  readonly embedderBytes: number;
  readonly backingBytes: number;
}

const SEGMENT_MS = 4000;
/** What telemetry records at most while playing (trackBuffer.ts, trackPlayback.ts). */
const SAMPLE_EVERY_MS = { buffer: 250, playback: 1000, frames: 1000 };
/** Segments recorded at once: an hour of session per write. */
const CHUNK = 900;
const WINDOW_MS = 150_000;
/** The chart panel draws at most four times a second. */
const GAP_MS = 400;
/** A whole day takes about three minutes. */
const LIMIT_MS = 15 * 60_000;
const MAX_HEAP_MB = 40;
const MAX_REDRAW_MS = 16;

export function dayCost(place: Place, plan: DayPlan, onChunk: (requests: number) => void): Promise<DayCost> {
  const viewport = { width: 1060, height: 900 };
  return inTab(place, { viewport, what: 'the synthetic day', limitMs: LIMIT_MS }, async (tab) => {
    const { page, devtools } = tab;
    const options: DayOptions = {
      seed: 24,
      segments: plan.segments,
      segmentMs: SEGMENT_MS,
      sampleEveryMs: SAMPLE_EVERY_MS,
    };
    await page.goto(place.address('day', { day: JSON.stringify(options) }));
    await page.evaluate(async () => void (await globalThis.day));
    await devtools.send('Performance.enable', { timeDomain: 'timeTicks' });
    const heapBefore = await heapOf(devtools, page);
    const { events, requests } = await recordAll(page, onChunk);
    const heapAfter = await heapOf(devtools, page);
    const all = await redraws(tab, plan.redraws, null);
    const window = await redraws(tab, plan.redraws, WINDOW_MS);
    const idle = await redraws(tab, plan.redraws, 'idle');
    return { events, requests, heapBefore, heapAfter, redraws: { all, window }, idle };
  });
}

async function recordAll(
  page: Page,
  onChunk: (requests: number) => void,
): Promise<{ events: number; requests: number }> {
  for (;;) {
    const state = await page.evaluate(async (chunk) => (await globalThis.day!).record(chunk), CHUNK);
    onChunk(state.requests);
    if (state.done) break;
  }
  const state = await page.evaluate(async () => {
    const day = await globalThis.day!;
    return { ...(await day.record(0)), stored: await day.stored() };
  });
  if (state.stored !== state.events)
    throw new Error(`the store kept ${state.stored} of ${state.events} events.`);
  return state;
}

/** Twice collected: what the first pass frees may hold the last reference to more. */
async function heapOf(devtools: CDPSession, page: Page): Promise<Heap> {
  await page.waitForTimeout(1500);
  for (let pass = 0; pass < 2; pass += 1) await devtools.send('HeapProfiler.collectGarbage');
  const usage = (await devtools.send('Runtime.getHeapUsage')) as {
    usedSize: number;
    embedderHeapUsedSize?: number;
    backingStorageSize?: number;
  };
  if (usage.backingStorageSize === undefined || usage.embedderHeapUsedSize === undefined)
    throw new Error('this Chromium does not report memory outside V8: the heap would look too small.');
  return {
    scriptBytes: usage.usedSize,
    embedderBytes: usage.embedderHeapUsedSize,
    backingBytes: usage.backingStorageSize,
  };
}

/** Redraws one after the other, each with the wait around it. */
async function redraws(
  { page, devtools }: { page: Page; devtools: CDPSession },
  count: number,
  shown: number | null | 'idle',
): Promise<RedrawCost[]> {
  const costs: RedrawCost[] = [];
  // One more: the first draws axes and fonts anew.
  for (let step = 0; step <= count; step += 1) {
    const before = await counters(devtools);
    await page.evaluate(
      async ({ shown, step }) => {
        if (shown !== 'idle') (await globalThis.day!).redraw(shown, step);
      },
      { shown, step: step + 1 },
    );
    await page.waitForTimeout(GAP_MS);
    const after = await counters(devtools);
    if (step > 0)
      costs.push({
        cpuMs: (after.cpuS - before.cpuS) * 1000,
        scriptMs: (after.scriptS - before.scriptS) * 1000,
      });
  }
  return costs;
}

export function dayFigures({ heapBefore, heapAfter, redraws, idle }: DayCost): Figure[] {
  return [
    {
      id: 'day-heap',
      label: 'heap growth',
      unit: 'MB',
      value: (total(heapAfter) - total(heapBefore)) / 1e6,
      interval: null,
      goalMax: MAX_HEAP_MB,
    },
    ...redrawFigures('all', 'redraw of all charts, 24 h shown', { drawn: redraws.all, idle }),
    ...redrawFigures('window', 'redraw of all charts, last 2½ min shown', { drawn: redraws.window, idle }),
  ];
}

function redrawFigures(
  id: string,
  label: string,
  { drawn, idle }: { drawn: readonly RedrawCost[]; idle: readonly RedrawCost[] },
): Figure[] {
  const part = (key: keyof RedrawCost): Pick<Figure, 'unit' | 'value' | 'interval'> => {
    const idleMs = median(idle.map((cost) => cost[key]));
    return {
      unit: 'ms',
      ...bootstrap(
        drawn.map((cost) => cost[key] - idleMs),
        median,
      ),
    };
  };
  return [
    { id: `day-redraw-${id}`, label, goalMax: MAX_REDRAW_MS, ...part('cpuMs') },
    { id: `day-redraw-${id}-script`, label: '  script alone', goalMax: null, ...part('scriptMs') },
  ];
}

const total = ({ scriptBytes, embedderBytes, backingBytes }: Heap): number =>
  scriptBytes + embedderBytes + backingBytes;
