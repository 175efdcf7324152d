import type { MediaPlayerClass } from 'dashjs';
import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import { createPendingDecisions, type PendingDecisions } from '../pendingDecisions.ts';
import { exportLog } from './exportLog.ts';
import { createMemoryStore } from './memoryStore.ts';
import { createRecording, type Recording } from './recording.ts';
import { createRequestBook } from './requestBook.ts';
import { createSessionClock, type SessionClock } from './sessionClock.ts';
import { environmentOf, newSessionHeader, resumedHeader } from './sessionHeader.ts';
import type { SessionStore } from './sessionStore.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { trackRequests } from './trackRequests.ts';

/**
 * Records what a dash.js 5 player does, as a session log. Call it, and wait for it, after `MediaPlayer().create()`
 * and before `initialize`: then it sees the first manifest request and every rule's vote. Attached later it records
 * from there on, and decisions without votes. `player.reset()` takes the listeners off; attach again after it.
 */
export async function attachTelemetry(
  player: MediaPlayerClass,
  video: HTMLVideoElement,
  options: TelemetryOptions = {},
): Promise<Telemetry> {
  const { store = createMemoryStore(), keepQueryValues = false } = options;
  const begun = await begin(store, options);
  const clock = createSessionClock(begun.header.clock, begun.header.parts.at(-1)?.startMs);
  const recording = createRecording({
    part: begun.header.parts.length - 1,
    store,
    header: () => begun.header,
    carriedOver: begun.carriedOver,
  });
  const decisions = createPendingDecisions((draft) => void recording.record(draft));
  const book = createRequestBook({
    recording,
    sessionMs: clock.sessionMs,
    keepQueryValues,
    pageOrigin: location.origin,
    onSent({ id, purpose }) {
      if (purpose.type === 'media' && (purpose.mediaType === 'video' || purpose.mediaType === 'audio'))
        decisions.link(purpose.mediaType, id);
    },
  });
  const disposers = [trackRequests({ player, book, rungOf: () => null })];
  await recording.flush();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    for (const dispose of disposers) dispose();
    book.close();
    decisions.release();
    const last = begun.header.parts.at(-1);
    if (last) last.endMs = clock.nowMs();
    await recording.close();
    await store.end(begun.header.id);
  };
  return {
    ...facade({ clock, recording, decisions, header: begun.header }),
    drained: book.drained,
    async exportLog() {
      await recording.flush();
      return exportLog(store, begun.header.id);
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Takes the session's lock; for a resumed session also what was unfinished when it was cut off. */
async function begin(
  store: SessionStore,
  { resumeId, environment = {}, keepQueryValues = false }: TelemetryOptions,
): Promise<{ header: SessionHeader; carriedOver: readonly SessionEvent[] }> {
  if (resumeId === undefined) {
    const header = newSessionHeader(environmentOf(environment, keepQueryValues));
    await store.begin(header);
    return { header, carriedOver: [] };
  }
  const stored = await store.header(resumeId);
  const listed = (await store.list()).find(({ id }) => id === resumeId);
  if (!stored || !listed) throw new Error(`There is no stored session ${resumeId} to resume.`);
  const carriedOver = await store.open(resumeId);
  const header = resumedHeader(stored, listed.endMs);
  await store.begin(header);
  return { header, carriedOver };
}

function facade({
  clock,
  recording,
  decisions,
  header,
}: {
  clock: SessionClock;
  recording: Recording;
  decisions: PendingDecisions;
  header: SessionHeader;
}): Omit<Telemetry, 'drained' | 'exportLog' | 'stop'> {
  return {
    sessionId: header.id,
    header: () => structuredClone(header),
    nowMs: clock.nowMs,
    sessionMs: clock.sessionMs,
    record: (draft) => recording.record(draft),
    decide: decisions.decide,
    subscribe: recording.subscribe,
    openEvents: recording.openEvents,
  };
}
