import type { Page } from '@playwright/test';
import {
  ANSWER_MS,
  answered,
  logOf,
  mustHaveBegunOnTime,
  placeSession,
  waitForState,
  silenced,
  type Playing,
  type WhenDue,
} from './playSession.ts';
import { browserProfileOf } from './plan.ts';
import { during } from './sessionFailure.ts';
import { visitPage } from './visitPage.ts';
import { countDown } from './within.ts';
import type { Place } from './place.ts';
import type { SessionLog } from '../../src/telemetry/schema/sessionLog.ts';
import { parseTransfer } from '../../src/shared/transfer.ts';
import { valueOf } from '../../src/shared/result.ts';

/** Between the call to a page and its first request: it has nothing else to do. */
const EARLY_MS = 5;

/**
 * Lets a page download what its cell says, and answers its log. A download that fails leaves a log like any other: that is an
 * outcome. @throws SessionFailure when the laboratory failed
 */
export async function playTransfer(page: Page, playing: Playing, transfer: string): Promise<SessionLog> {
  const { plan, cell, place, asked } = playing;
  await during('page-did-not-load', page.goto(`${place.appUrl}?transfer=`, { waitUntil: 'networkidle' }));
  await during(
    'page-did-not-load',
    page.waitForFunction(() => window.pitwall !== undefined),
  );
  if (!plan.devTools) await silenced(page, cell);
  const dueAtUnixMs = await place.ready();
  const leftMs = dueAtUnixMs === null ? () => 0 : countDown(dueAtUnixMs - EARLY_MS);
  const before =
    browserProfileOf(plan, cell) === 'warm' ? await visitPage(page, { place, cell, dueAtUnixMs }) : {};
  const query = new URLSearchParams({ transfer });
  for (const base of basesOf(place, { transport: cell.transport, transfer })) query.append('base', base);
  const opened = page.evaluate(beginWhenDue, {
    query: String(query),
    atUnixMs: dueAtUnixMs === null ? null : dueAtUnixMs - EARLY_MS,
    maxWaitMs: leftMs(),
  });
  await answered(opened, ANSWER_MS + Math.max(0, leftMs()));
  asked?.();
  await waitForState(page, ['ended'], { withinMs: plan.seconds * 1000, everyMs: 500 });
  await answered(page.evaluate(() => window.pitwall!.stop()));
  const log = await logOf(page);
  if (dueAtUnixMs !== null) mustHaveBegunOnTime(log, dueAtUnixMs, firstRequestMs(log));
  return placeSession(page, log, playing, before);
}

/** Runs in the page: its own timer is nearer to the moment than a message to it. */
async function beginWhenDue({ query, atUnixMs, maxWaitMs }: WhenDue) {
  if (atUnixMs !== null)
    await new Promise((due) => setTimeout(due, Math.min(atUnixMs - Date.now(), maxWaitMs)));
  await window.pitwall!.open(query);
}

/** Requests stand in the log in the order in which they ended. */
function firstRequestMs({ events }: SessionLog): number | null {
  const asked = events.filter(({ kind }) => kind === 'request').map(({ atMs }) => atMs);
  return asked.length === 0 ? null : Math.min(...asked);
}

/** The folder of the files under each name that is used: several for http/1.1, one for protocols that carry many requests. */
function basesOf(
  { mpdUrl }: Place,
  { transport, transfer }: { transport: string; transfer: string },
): string[] {
  const { names } = valueOf(parseTransfer(transfer));
  const folder = new URL('.', mpdUrl);
  if (transport !== 'h1') return [folder.href];
  return Array.from({ length: names }, (_, index) => {
    const base = new URL(folder);
    if (index > 0) base.hostname = `n${index + 1}.${base.hostname}`;
    return base.href;
  });
}
