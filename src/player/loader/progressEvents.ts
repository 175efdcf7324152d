import type { RecordedRequest } from '../../telemetry/shell/requests/dashRequest.ts';

/** What a progress event of XMLHttpRequest tells, and dash.js reads. */
export interface LoadProgress {
  /** Body bytes so far, after content decoding. */
  readonly loaded: number;
  /** Bytes of the whole body; 0 where it is not known. */
  readonly total: number;
  readonly lengthComputable: boolean;
}

/** dash.js' CommonMediaRequest (streaming/vo/CommonMediaRequest.js), as far as a loader reads it. */
export interface MediaRequest {
  readonly url: string;
  readonly method: string;
  readonly responseType?: string;
  readonly headers?: Readonly<Record<string, string | null | undefined>>;
  readonly credentials?: string;
  /** ms; 0 for none. */
  readonly timeout?: number;
  /** Of the fetch standard. Put there by a loader of ours; absent: `auto`. */
  readonly priority?: RequestPriority;
  readonly customData: LoadCallbacks;
}

/**
 * The callbacks of dash.js' HTTPLoader. It takes `onloadend` and `onprogress` away before it calls `abort`, and its
 * telemetry takes the moment at which `abort` is set for the moment of sending.
 */
interface LoadCallbacks {
  onloadend?: (() => void) | undefined;
  onprogress?: ((event: LoadProgress) => void) | undefined;
  onabort?: (() => void) | undefined;
  ontimeout?: ((event: LoadProgress) => void) | undefined;
  abort?: () => void;
  recorded?: RecordedRequest;
}

/** dash.js' CommonMediaResponse. A status of 0 is a network error. */
export interface MediaResponse {
  url?: string;
  status?: number;
  statusText?: string;
  headers?: Readonly<Record<string, string>>;
  data?: unknown;
}

/** The public methods of dash.js' XHRLoader (streaming/net/XHRLoader.js). */
export interface DashLoader {
  load(request: MediaRequest, response: MediaResponse): boolean;
  abort(request?: MediaRequest): void;
  reset(): void;
  resetInitialSettings(): void;
}

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
