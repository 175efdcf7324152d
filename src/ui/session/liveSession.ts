import { createDiagnostics } from '../../analysis/diagnostics/diagnostics.ts';
import { createSeries } from '../../analysis/timeline/series.ts';
import { advanceTo, appendEvent, setOpenEvents } from '../../analysis/timeline/appendEvent.ts';
import type { SessionEvent, SessionLog } from '../../telemetry/schema/sessionLog.ts';
import { sessionBlob, logSource, storedSource } from '../../telemetry/shell/store/sessionSource.ts';
import type { SessionStore } from '../../telemetry/shell/store/sessionStore.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { recentEvents } from './recentEvents.ts';
import type { ShownSession } from './shownSession.ts';

export interface LiveSession extends ShownSession {
  /** The whole log so far; also after the end. */
  log(): Promise<SessionLog>;
  /** Brings the series up to now: open requests and the clock. */
  advance(): void;
  /** The recording ended; the session stays on show. */
  finish(): void;
}

/**
 * The session that this page records. What was recorded before this call, also by an earlier page, comes first: it is
 * read once `calm` resolves (the first frame), and what comes meanwhile waits for it.
 */
export function liveSession(telemetry: Telemetry, store: SessionStore, calm: Promise<void>): LiveSession {
  const series = createSeries(telemetry.header().parts);
  const recent = recentEvents();
  const diagnostics = createDiagnostics(telemetry.header());
  const take = (event: SessionEvent): void => {
    appendEvent(series, event);
    diagnostics.append(event);
  };
  // Some diagnostics follow the order of recording.
  const received: SessionEvent[] = [];
  let recording = true;
  let starting = true;
  telemetry.subscribe((event) => {
    recent.add(event);
    if (starting) received.push(event);
    else take(event);
  });
  const catchUp = async (): Promise<void> => {
    await calm;
    for (const event of await eventsBefore(telemetry, received)) take(event);
    for (const event of received.splice(0)) take(event);
    starting = false;
  };
  catchUp().catch(reportError);
  return {
    name: 'this session',
    growing: () => recording,
    series,
    diagnostics,
    header: () => telemetry.header(),
    event: async (id) => recent.find(id) ?? (await store.event(telemetry.sessionId, id)),
    log: () => telemetry.exportLog(),
    // While it grows, the store is a second behind; afterwards it has everything and needs the least memory.
    file: async (kind) =>
      await sessionBlob(
        recording ? logSource(await telemetry.exportLog()) : await storedSource(store, telemetry.sessionId),
        kind,
      ),
    nowMs: () => (recording ? telemetry.nowMs() : null),
    openEvents: () => telemetry.openEvents(),
    advance() {
      if (!recording) return;
      setOpenEvents(series, telemetry.openEvents());
      advanceTo(series, telemetry.nowMs());
    },
    finish() {
      setOpenEvents(series, telemetry.openEvents());
      recording = false;
    },
  };
}

/** What was recorded before the first event of `received`. */
async function eventsBefore(
  telemetry: Telemetry,
  received: readonly SessionEvent[],
): Promise<SessionEvent[]> {
  const { events } = await telemetry.exportLog();
  const later = new Set([...received, ...telemetry.openEvents()].map(({ id }) => id));
  return events.filter(({ id }) => !later.has(id));
}
