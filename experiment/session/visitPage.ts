import { setTimeout as pause } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import type { Place } from './place.ts';
import { JOIN_LIMIT_MS, type CompareCell } from './plan.ts';
import { during } from './sessionFailure.ts';
import { within } from './within.ts';
import { browserOf } from '../../lab/browser/registry.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';

/** A NetLog knows requests by their times: the session's begin so long after the visit's. */
const AFTER_VISIT_MS = 2500;

const TO_FRONT_MS = 60_000;

interface Visiting {
  readonly place: Pick<Place, 'appUrl' | 'mpdUrl' | 'mediaUrls' | 'visited'>;
  readonly cell: Pick<CompareCell, 'browser'>;
  /** When play is due, null where it is not. */
  readonly dueAtUnixMs: number | null;
}

/**
 * Lets a session's browser visit its stream before it plays, and answers what the log's environment says of it.
 *
 * @throws SessionFailure when the origin does not answer, or so late that play could not be asked for when due
 */
export async function visitPage(
  page: Page,
  { place, cell, dueAtUnixMs }: Visiting,
): Promise<Required<Pick<SessionLog['environment'], 'visit'>>> {
  const { label, warmUp } = browserOf(cell.browser);
  if (warmUp === null) throw new Error(`${label} is to visit the origin before its session, and cannot`);
  const withinMs = dueAtUnixMs === null ? JOIN_LIMIT_MS : dueAtUnixMs - AFTER_VISIT_MS - Date.now();
  const visit = await during(
    'visit-not-answered',
    warmUp(page.context(), {
      pageUrl: place.appUrl,
      urls: [place.mpdUrl, ...(place.mediaUrls ?? [])],
      withinMs,
    }),
  );
  // The visit's tab has hidden it.
  await during('browser-ended', within(TO_FRONT_MS, page.bringToFront()));
  if (dueAtUnixMs === null) await pause(AFTER_VISIT_MS);
  place.visited?.();
  return { visit: { ...visit, protocols: [...visit.protocols] } };
}
