import type { Page } from '@playwright/test';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** Wider than any decision is old when it is looked at: the lane then shows what led to it. */
const MAX_STEPS = 60;

/** Steps back with `[`, as a person does, to the first video decision after the stall (or before the newest one). */
export async function pinDecisionAfterStall(page: Page): Promise<void> {
  const log = JSON.parse(await page.evaluate(() => globalThis.pitwall!.session())) as SessionLog;
  const steps = Math.min(MAX_STEPS, stepsBack(log));
  await page.locator('#stack').focus();
  for (let step = 0; step < steps; step += 1) await page.keyboard.press('[');
  // A focus ring belongs to a person at the keyboard, not to a picture.
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
}

/** How many video decisions were made since the first one after the last stall; at least two. */
export function stepsBack({ events }: Pick<SessionLog, 'events'>): number {
  const stall = events.findLast((event) => event.kind === 'stall');
  const fromMs = stall ? stall.atMs + (stall.durationMs ?? 0) : Infinity;
  const later = events.filter(
    (event) => event.kind === 'decision' && event.mediaType === 'video' && event.atMs >= fromMs,
  );
  return Math.max(2, later.length);
}
