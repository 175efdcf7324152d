import { advanceTo, appendEvent, createSeries, setOpenEvents } from '../../analysis/series.ts';
import type { SessionStore } from '../../telemetry/shell/sessionStore.ts';
import type { Telemetry } from '../../telemetry/shell/telemetry.ts';
import { recentEvents } from './recentEvents.ts';
import type { ShownSession } from './shownSession.ts';

export interface LiveSession extends ShownSession {
  /** Brings the series up to now: open requests and the clock. */
  advance(): void;
  /** The recording ended; the session stays on show. */
  finish(): void;
}

/** The session that this page records. A resumed one begins with what the store already has of it. */
export async function liveSession(
  telemetry: Telemetry,
  store: SessionStore,
  { resumed }: { resumed: boolean },
): Promise<LiveSession> {
  const series = createSeries(telemetry.header().parts);
  const recent = recentEvents();
  const known = resumed ? new Set<string>() : null;
  let recording = true;
  telemetry.subscribe((event) => {
    known?.add(event.id);
    recent.add(event);
    appendEvent(series, event);
  });
  if (known) {
    for await (const batch of store.events(telemetry.sessionId))
      for (const event of batch) if (!known.has(event.id)) appendEvent(series, event);
  }
  return {
    name: 'this session',
    growing: () => recording,
    series,
    header: () => telemetry.header(),
    event: async (id) => recent.find(id) ?? (await store.event(telemetry.sessionId, id)),
    log: () => telemetry.exportLog(),
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
