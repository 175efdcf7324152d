import { fittedHeader } from '../schema/fitted.ts';
import type { SessionHeader, SessionLog } from '../schema/sessionLog.ts';
import { createRecording } from './recording.ts';
import { createRecordedDownload, type RecordedDownload } from './requests/recordedDownload.ts';
import { createRequestBook } from './requests/requestBook.ts';
import { createSessionClock, environmentOf, newSessionHeader, ofPage } from './sessionHeader.ts';
import { createMemoryStore } from './store/memoryStore.ts';
import { exportLog } from './store/sessionSource.ts';

/** The recording of a session without media and without a player. */
export interface TransferRecording {
  readonly sessionId: string;
  nowMs(): number;
  readonly download: RecordedDownload;
  /** How many requests are in flight. */
  inFlight(): number;
  /** The whole log, also while it records and after `stop`. */
  exportLog(): Promise<SessionLog>;
  /** Resolves when every request has ended and is recorded. */
  drained(): Promise<void>;
  stop(): Promise<void>;
}

/** Records downloads of this page as a session log. It is kept in memory: whoever runs the page reads it at the end. */
export async function recordTransfers(
  environment: Partial<SessionHeader['environment']>,
): Promise<TransferRecording> {
  const store = createMemoryStore();
  const header = fittedHeader(
    newSessionHeader(environmentOf({ ...ofPage(), missing: NO_PLAYER, ...environment }, false)),
  );
  await store.begin(header);
  const clock = createSessionClock(header.clock);
  const recording = createRecording({ part: 0, store, header: () => header, carriedOver: [] });
  const book = createRequestBook({
    recording,
    sessionMs: clock.sessionMs,
    keepQueryValues: false,
    pageOrigin: location.origin,
    takeOthers: () => [],
    onSent: () => undefined,
  });
  let stopped: Promise<void> | null = null;
  const stop = async (): Promise<void> => {
    book.close();
    header.parts[0]!.endMs = clock.nowMs();
    await recording.close();
    await store.end(header.id);
  };
  return {
    sessionId: header.id,
    nowMs: clock.nowMs,
    download: createRecordedDownload(book),
    inFlight: () => recording.openEvents().length,
    async exportLog() {
      await recording.flush();
      return exportLog(store, header.id);
    },
    drained: book.drained,
    stop: () => (stopped ??= stop()),
  };
}

/** Nothing of a player applies. */
const NO_PLAYER = Object.fromEntries(
  ['dashjsVersion', 'mpdUrl', 'rule', 'ruleParameters', 'preset', 'settings', 'traceOptimum'].map((field) => [
    field,
    'not-applicable' as const,
  ]),
);
