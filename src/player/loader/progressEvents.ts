import type { LoadProgress } from './dashLoader.ts';

/** ms between two progress events of one request (XMLHttpRequest §4.7.4: "at least 50 milliseconds have passed"). */
const PROGRESS_EVERY_MS = 50;

/** The progress of one request, reported as by XMLHttpRequest: dash.js' abandonment and throughput rules rely on it. */
export interface ProgressEvents {
  /** So many bytes of the body are there. */
  received(bytes: number): void;
  /** What an event would say now. */
  current(): LoadProgress;
  /** The body is complete: reports what was not reported yet. */
  flush(): void;
  /** Nothing is reported from here on. */
  stop(): void;
}

/** @param totalBytes length that the server announced; null when it did not. */
export function createProgressEvents(
  totalBytes: number | null,
  tell: (event: LoadProgress) => void,
): ProgressEvents {
  let [loaded, reported, reportedMs] = [0, 0, -Infinity];
  let timer: ReturnType<typeof setTimeout> | null = null;
  const stop = (): void => {
    if (timer !== null) clearTimeout(timer);
    timer = null;
  };
  const current = (): LoadProgress => progressOf(loaded, totalBytes);
  const tellNow = (): void => {
    stop();
    [reported, reportedMs] = [loaded, performance.now()];
    tell(current());
  };
  return {
    received(bytes) {
      loaded = bytes;
      const dueMs = reportedMs + PROGRESS_EVERY_MS - performance.now();
      if (dueMs <= 0) tellNow();
      else timer ??= setTimeout(tellNow, dueMs);
    },
    current,
    flush() {
      if (loaded > reported) tellNow();
    },
    stop,
  };
}

/** A length that is exceeded was not that of this body, as with a content encoding (Blink tells both alike). */
function progressOf(loaded: number, totalBytes: number | null): LoadProgress {
  const lengthComputable = totalBytes !== null && totalBytes > 0 && loaded <= totalBytes;
  return { loaded, total: lengthComputable ? totalBytes : 0, lengthComputable };
}
