import {
  createProgressEvents,
  type MediaRequest,
  type MediaResponse,
  type ProgressEvents,
} from './progressEvents.ts';

/** ms. Timers wait no longer (HTML, "timer initialisation steps": a signed 32-bit number). */
const MAX_TIMER_MS = 2 ** 31 - 1;

/**
 * Loads `request` with fetch, past the browser's cache (`no-store`), and fills `response`. Calls dash.js back as its own
 * XHRLoader does: progress every 50 ms and at the end, then `onloadend`; `ontimeout` and `onloadend` when the time is up;
 * `onabort` alone, at once, when it is aborted. `response` stays as it was (status 0) unless the whole body came.
 * `onEnd` is called first at every end.
 */
export function fetchMedia(request: MediaRequest, response: MediaResponse, onEnd: () => void): void {
  const { customData } = request;
  const controller = new AbortController();
  let hasEnded = false;
  let progress = progressOf(null, request);
  const end = (tell: () => void): void => {
    if (hasEnded) return;
    hasEnded = true;
    clearTimeout(timer);
    progress.stop();
    onEnd();
    tell();
  };
  const timer = startTimer(request.timeout ?? 0, () =>
    end(() => {
      controller.abort();
      customData.ontimeout?.(progress.current());
      customData.onloadend?.();
    }),
  );
  const receive = async (): Promise<MediaResponse> => {
    const answer = await fetch(request.url, optionsOf(request, controller.signal));
    const announcedBytes = announcedBytesOf(answer.headers);
    progress = progressOf(announcedBytes, request);
    const data = await bodyOf(answer, { announcedBytes, onBytes: progress.received });
    await nextTask();
    const { url, status, statusText } = answer;
    return { url, status, statusText, headers: Object.fromEntries(answer.headers), data };
  };
  receive().then(
    (received) => {
      if (!hasEnded) progress.flush();
      end(() => {
        Object.assign(response, received);
        customData.onloadend?.();
      });
    },
    () => end(() => customData.onloadend?.()),
  );
  customData.abort = () =>
    end(() => {
      controller.abort();
      customData.onabort?.();
    });
}

const progressOf = (totalBytes: number | null, { customData }: MediaRequest): ProgressEvents =>
  createProgressEvents(totalBytes, (event) => customData.onprogress?.(event));

function startTimer(timeoutMs: number, onTime: () => void): ReturnType<typeof setTimeout> | undefined {
  if (!Number.isFinite(timeoutMs) || timeoutMs <= 0) return undefined;
  return setTimeout(onTime, Math.min(timeoutMs, MAX_TIMER_MS));
}

function optionsOf({ method, headers = {}, credentials }: MediaRequest, signal: AbortSignal): RequestInit {
  const sent = Object.entries(headers).filter((pair): pair is [string, string] => Boolean(pair[1]));
  return {
    method,
    headers: sent,
    cache: 'no-store',
    // XMLHttpRequest without `withCredentials` sends cookies to the page's own origin (XMLHttpRequest §4.5.6).
    credentials: credentials === 'include' ? 'include' : 'same-origin',
    signal,
  };
}

/** The length of the body, where the server announces it and it is the length of what arrives here. */
function announcedBytesOf(headers: Headers): number | null {
  const text = headers.get('content-length');
  if (text === null || !/^\d{1,15}$/.test(text) || headers.get('content-encoding') !== null) return null;
  return Number(text);
}

async function bodyOf(
  { body }: Response,
  { announcedBytes, onBytes }: { announcedBytes: number | null; onBytes: (bytes: number) => void },
): Promise<ArrayBuffer> {
  const bytes = collectBytes(body ? announcedBytes : 0);
  const reader = body?.getReader();
  while (reader) {
    const { done, value } = await reader.read();
    if (done) break;
    bytes.add(value);
    onBytes(bytes.length);
  }
  return bytes.toBuffer();
}

/**
 * The Resource Timing entry of a fetch may come a task after the end of its body (seen in Chromium 156: 13 of 600, none
 * later); with XMLHttpRequest it is always there. dash.js and the recorder look for it when the request ends. A
 * message and not a timer: pages in the background wait long for timers.
 */
function nextTask(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = () => {
      port1.close();
      resolve();
    };
    port2.postMessage(null);
  });
}

/** A body that grows piece by piece. */
interface CollectedBytes {
  /** Bytes so far. */
  readonly length: number;
  add(piece: Uint8Array): void;
  /** The whole body as a buffer of exactly its length. */
  toBuffer(): ArrayBuffer;
}

/** Bytes. The most that is reserved because a server announced it: what it announces need not come. */
const MAX_RESERVED_BYTES = 64 * 1024 * 1024;
const MIN_RESERVED_BYTES = 64 * 1024;

/**
 * Collects a body in time linear in its length. A body as long as announced is copied once and never moved. One of
 * unknown length moves to a buffer of twice the size when its buffer is full (amortised, Cormen et al., §17.4).
 */
export function collectBytes(announcedBytes: number | null): CollectedBytes {
  let bytes = new Uint8Array(Math.min(announcedBytes ?? MIN_RESERVED_BYTES, MAX_RESERVED_BYTES));
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      if (length + piece.length > bytes.length) bytes = moved(bytes, length, length + piece.length);
      bytes.set(piece, length);
      length += piece.length;
    },
    toBuffer: () => (length === bytes.length ? bytes.buffer : bytes.buffer.slice(0, length)),
  };
}

function moved(
  bytes: Uint8Array<ArrayBuffer>,
  usedBytes: number,
  neededBytes: number,
): Uint8Array<ArrayBuffer> {
  const wider = new Uint8Array(Math.max(neededBytes, 2 * bytes.length, MIN_RESERVED_BYTES));
  wider.set(bytes.subarray(0, usedBytes));
  return wider;
}
