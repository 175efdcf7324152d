import type { MediaPlayerClass } from 'dashjs';
import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import { PITWALL_VERSION } from '../version.ts';
import { exportLog } from './exportLog.ts';
import { createMemoryStore } from './memoryStore.ts';
import { createRecording } from './recording.ts';
import { createSessionClock } from './sessionClock.ts';
import { environmentOf, newSessionHeader, resumedHeader } from './sessionHeader.ts';
import type { SessionStore } from './sessionStore.ts';
import type { Telemetry, TelemetryOptions } from './telemetry.ts';
import { track } from './track.ts';

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
  const { header, carriedOver } = await begin(store, withBrowser(player, options));
  const clock = createSessionClock(header.clock, header.parts.at(-1)?.startMs);
  const part = header.parts.length - 1;
  const recording = createRecording({ part, store, header: () => header, carriedOver });
  const tracking = track({ player, video, clock, recording, keepQueryValues }, header);
  await recording.flush();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    tracking.stop();
    const last = header.parts.at(-1);
    if (last) last.endMs = clock.nowMs();
    await recording.close();
    await store.end(header.id);
  };
  return {
    sessionId: header.id,
    header: () => structuredClone(header),
    nowMs: clock.nowMs,
    sessionMs: clock.sessionMs,
    record: (draft) => recording.record(draft),
    decide: tracking.decide,
    subscribe: recording.subscribe,
    openEvents: recording.openEvents,
    drained: tracking.drained,
    async exportLog() {
      await recording.flush();
      return exportLog(store, header.id);
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

/** What any page can tell of its surroundings; what the caller tells wins. */
function withBrowser(player: MediaPlayerClass, options: TelemetryOptions): TelemetryOptions {
  const { userAgent } = navigator;
  const [browser = null] = /(Firefox|Edg|Chrome|Version)\/\d+/.exec(userAgent) ?? [];
  const told = { pitwallVersion: PITWALL_VERSION, dashjsVersion: player.getVersion(), userAgent, browser };
  return { ...options, environment: { ...told, ...options.environment } };
}
