import { errorDraft } from '../errorDraft.ts';
import type { Draft, ErrorEvent } from '../event.ts';
import { fittedHeader } from '../schema/fitted.ts';
import type { SessionEvent, SessionHeader } from '../schema/sessionLog.ts';
import { createRecording, type Recording } from './recording.ts';
import {
  createSessionClock,
  environmentOf,
  mustKeepItsNet,
  nameRule,
  newSessionHeader,
  ofPage,
  resumedHeader,
  type SessionClock,
} from './sessionHeader.ts';
import { createBeginningStore, createMemoryStore } from './store/memoryStore.ts';
import { exportLog, noSession } from './store/sessionSource.ts';
import type { SessionStore } from './store/sessionStore.ts';
import type { SessionControl, SessionOptions } from './telemetry.ts';
import { reportsFrames } from './trackScreen.ts';

/** What trackers need of a session. */
interface StartedSession {
  readonly clock: SessionClock;
  readonly recording: Recording;
  /** As it will be written; trackers complete its environment. */
  readonly header: SessionHeader;
}

/**
 * Begins a session, or goes on with a stored one, and starts its trackers. Returns what they offer with what every recording
 * has.
 * @param startTrackers called once, when the session has its clock
 */
export async function startSession<Tracking extends { stop(): void }>(
  video: HTMLMediaElement,
  options: SessionOptions,
  startTrackers: (session: StartedSession) => Tracking,
): Promise<SessionControl & Omit<Tracking, 'stop'>> {
  const onRefused = (fault: unknown): void => void recording.record(refusal(fault, clock.nowMs()));
  const answer = <Value>(asked: Promise<Value>) => answered(asked).catch(onRefused);
  const { store, header, carriedOver } = await begin(options.store ?? createMemoryStore(), {
    ...options,
    environment: {
      ...ofPage(),
      screen: reportsFrames(video) ? 'frames' : 'ranges',
      ...options.environment,
    },
    onRefused,
  });
  const clock = createSessionClock(header.clock, header.parts.at(-1)?.startMs);
  const part = header.parts.length - 1;
  const present = (): SessionHeader => structuredClone(fittedHeader(header));
  const recording = createRecording({ part, store, header: present, carriedOver, onWriteFault: onRefused });
  const { stop: stopTrackers, ...tracking } = startTrackers({ clock, recording, header });
  // Nothing more will come from an earlier page load: what it left is written at once.
  if (carriedOver.length > 0) await recording.flush();
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    stopTrackers();
    const last = header.parts.at(-1);
    if (last) last.endMs = clock.nowMs();
    await answer(recording.close().finally(() => store.end(header.id)));
  };
  return {
    ...tracking,
    sessionId: header.id,
    header: present,
    nowMs: clock.nowMs,
    sessionMs: clock.sessionMs,
    record(draft, id) {
      if (draft.kind === 'rule') nameRule(header.environment, draft);
      return recording.record(draft, id);
    },
    keepOpen: recording.keepOpen,
    subscribe: recording.subscribe,
    openEvents: recording.openEvents,
    async exportLog() {
      const isWritten = await answer(recording.flush().then(() => true));
      const open = [...recording.unwritten(), ...recording.openEvents()];
      // Storage that does not write may not read either: what is in memory counts then.
      const snapshot = (id: string) => (isWritten ? store.snapshot(id) : answered(store.snapshot(id)));
      return exportLog({ snapshot }, header.id, { header: present(), open });
    },
    stop: () => (stopped ??= stop()),
  };
}

/** Storage that gives no answer for so long, ms, has refused. On a busy machine with a slow disk a write took over 4 s. */
export const PATIENCE_MS = 15_000;

const answered = <Value>(asked: Promise<Value>): Promise<Value> =>
  Promise.race([asked, new Promise<never>((_, refuse) => setTimeout(refuse, PATIENCE_MS, 'no answer'))]);

/** Storage is refused in some private windows and when the disk is full. */
function refusal(fault: unknown, atMs: number): Draft<ErrorEvent> {
  const message = `What could not be stored is in memory only: ${String(fault)}`;
  return errorDraft({ atMs, source: 'telemetry', code: 'storage', message });
}

interface Begun {
  readonly store: SessionStore;
  readonly header: SessionHeader;
  readonly carriedOver: readonly SessionEvent[];
}

/** Takes the session's lock; for a resumed session also what was unfinished when it was cut off. */
async function begin(
  store: SessionStore,
  {
    resumeId,
    environment = {},
    keepQueryValues = false,
    onRefused,
  }: SessionOptions & { onRefused: (fault: unknown) => void },
): Promise<Begun> {
  if (resumeId === undefined) {
    // Nobody else can hold the lock of an id made just now, so there is nothing to wait for.
    const header = fittedHeader(newSessionHeader(environmentOf(environment, keepQueryValues)));
    return { store: createBeginningStore(store, header, onRefused), header, carriedOver: [] };
  }
  const stored = await store.header(resumeId);
  const listed = (await store.list()).find(({ id }) => id === resumeId);
  if (!stored || !listed) throw noSession(resumeId);
  mustKeepItsNet(stored, environment);
  const carriedOver = await store.open(resumeId);
  const header = resumedHeader(stored, listed.endMs);
  await store.begin(header);
  return { store, header, carriedOver };
}
