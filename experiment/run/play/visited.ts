import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Place } from './place.ts';
import { JOIN_LIMIT_MS } from './plan.ts';
import { during } from './sessionFailure.ts';
import { labBrowser } from '../../../lab/browser/registry.ts';
import type { SessionLog } from '../../../src/telemetry/schema/sessionLog.ts';

/** A NetLog knows requests by their times: the session's begin so long after the visit's. */
const AFTER_VISIT_MS = 2500;

/**
 * Lets a session's browser visit its stream before it plays, and answers what the log's environment says of it.
 * `dueAtUnixMs` is when play is due, null where it is not.
 *
 * @throws SessionFailure when the origin does not answer, or so late that play could not be asked for when due
 */
export async function visited(
  page: Page,
  place: Pick<Place, 'appUrl' | 'mpdUrl' | 'visited'>,
  dueAtUnixMs: number | null,
): Promise<Required<Pick<SessionLog['environment'], 'visit'>>> {
  const withinMs = dueAtUnixMs === null ? JOIN_LIMIT_MS : dueAtUnixMs - AFTER_VISIT_MS - Date.now();
  const visit = await during(
    'visit-not-answered',
    labBrowser.warmUp(page.context(), { pageUrl: place.appUrl, url: place.mpdUrl, withinMs }),
  );
  // The visit's tab has hidden it.
  await page.bringToFront();
  if (dueAtUnixMs === null) await pause(AFTER_VISIT_MS);
  place.visited?.();
  return { visit: { ...visit, protocols: [...visit.protocols] } };
}
